-- A property value as a moment, in seconds since 1970, by the rules of flags: a number or the text of one is seconds, other
-- text is ISO 8601 (without an offset local to the zone) or the date form of e-mail. Null for anything else.
CREATE FUNCTION property_instant(value jsonb, zone text) RETURNS double precision LANGUAGE plpgsql STABLE AS $$
DECLARE
  written text := trim(value #>> '{}');
  part text[];
  at timestamp;
BEGIN
  IF jsonb_typeof(value) NOT IN ('number', 'string') THEN RETURN NULL; END IF;
  IF written ~ '^[+-]?([0-9]{1,40}[.]?[0-9]{0,40}|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?$' THEN
    RETURN CASE WHEN abs(written::numeric) <= 8.64e12 THEN written::double precision END;
  END IF;
  part := regexp_match(written, '^([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})(?:[Tt ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:[.,][0-9]{1,9})?))?\s*(Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$', 'i');
  IF part IS NOT NULL THEN
    IF coalesce(part[4], '0')::int > 23 OR coalesce(part[5], '0')::int > 59 OR left(coalesce(part[6], '0'), 2)::int > 59 THEN
      RETURN NULL;
    END IF;
    at := make_timestamp(part[1]::int, part[2]::int, part[3]::int, coalesce(part[4], '0')::int, coalesce(part[5], '0')::int,
                         replace(coalesce(part[6], '0'), ',', '.')::double precision);
    IF part[7] IS NULL THEN RETURN extract(epoch FROM at AT TIME ZONE zone); END IF;
    RETURN extract(epoch FROM at AT TIME ZONE 'UTC') - CASE WHEN part[7] ~ '^[+-]' THEN
      (left(part[7], 1) || '1')::int * (substr(part[7], 2, 2)::int * 3600 + coalesce(nullif(substr(replace(part[7], ':', ''), 4), ''), '0')::int * 60)
      ELSE 0 END;
  END IF;
  IF written ~ '^([A-Za-z]{3}, )?[0-9]{1,2} [A-Za-z]{3} [0-9]{4} [0-9]{2}:[0-9]{2}(:[0-9]{2})? (GMT|UTC|[+-][0-9]{4})$' THEN
    RETURN extract(epoch FROM written::timestamptz);
  END IF;
  RETURN NULL;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;
