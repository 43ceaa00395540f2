import { defineEntity, p } from "@mikro-orm/core"
import { UserEntity } from "../access/index.js"
import { ProjectEntity } from "../projects/index.js"

const RecordingViewSchema = defineEntity({
  name: "RecordingView",
  tableName: "session_recording_view",
  properties: {
    projectId: () => p.manyToOne(ProjectEntity).mapToPk().fieldName("project_id").primary(),
    sessionId: p.string().primary(),
    userId: () => p.manyToOne(UserEntity).mapToPk().fieldName("user_id").primary(),
    viewedAt: p.datetime(),
  },
})
/** A row of `session_recording_view`. */
export class RecordingViewEntity extends RecordingViewSchema.class {}
RecordingViewSchema.setClass(RecordingViewEntity)

/** What `openDatabase` must know of this feature. */
export const recordingEntities = [RecordingViewEntity]
