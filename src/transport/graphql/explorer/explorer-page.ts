/** The explorer's only page. Everything it loads comes from this server. */
export const EXPLORER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waymark explorer</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphql/explorer/style.css">
<script type="module" src="/graphql/explorer/main.js"></script>
</head>
<body>
<header class="bar">
  <h1><span class="mark" aria-hidden="true"></span>Waymark <small>data explorer</small></h1>
  <form class="key" id="key-form" autocomplete="off">
    <label for="key">Personal API key</label>
    <input id="key" type="password" placeholder="phx_…" spellcheck="false" autocomplete="off">
    <button type="button" id="show-key" aria-pressed="false">Show</button>
    <output id="caller" for="key">No key: only the schema can be read.</output>
  </form>
  <a class="quiet" href="/api/schema/">REST</a>
  <button type="button" id="theme" class="quiet" title="Light or dark">Theme</button>
</header>
<main>
  <nav class="side" aria-label="Schema and examples">
    <div class="tabs" role="tablist" aria-label="Side panel">
      <button type="button" role="tab" id="tab-docs" aria-controls="panel-docs" aria-selected="true">Schema</button>
      <button type="button" role="tab" id="tab-examples" aria-controls="panel-examples" aria-selected="false"
        tabindex="-1">Examples</button>
    </div>
    <section id="panel-docs" role="tabpanel" aria-labelledby="tab-docs">
      <input id="search" type="search" placeholder="Search types and fields" aria-label="Search types and fields">
      <div id="docs" aria-live="polite"><p class="hint">Reading the schema…</p></div>
    </section>
    <section id="panel-examples" role="tabpanel" aria-labelledby="tab-examples" hidden>
      <ul id="examples" class="examples"></ul>
    </section>
  </nav>
  <section class="work" aria-label="Operation">
    <div class="tools">
      <button type="button" id="run" class="primary">Run <kbd>Ctrl ↵</kbd></button>
      <button type="button" id="complete">Complete <kbd>Ctrl Space</kbd></button>
      <span class="hint" id="notice" role="status"></span>
    </div>
    <div class="editor" id="operation" data-label="Operation"></div>
    <h2 id="variables-title">Variables <small>JSON</small></h2>
    <div class="editor small" id="variables" data-label="Variables, as JSON"></div>
  </section>
  <section class="result" aria-label="Result">
    <div class="tools">
      <strong id="outcome" role="status">Result</strong>
      <span class="meter" id="cost" hidden><span id="cost-bar"></span><span id="cost-text"></span></span>
      <span class="hint" id="timing"></span>
      <span class="views" id="views" role="group" aria-label="Shown as" hidden>
        <button type="button" id="view-picture" aria-pressed="true">Picture</button>
        <button type="button" id="view-json" aria-pressed="false">JSON</button>
      </span>
      <button type="button" id="copy" class="quiet">Copy</button>
    </div>
    <div id="picture" tabindex="0" aria-label="Result, as a picture" hidden></div>
    <pre id="output" tabindex="0" aria-label="Result, as JSON"></pre>
  </section>
</main>
</body>
</html>
`
