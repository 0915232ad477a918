// Whether the page has sent anything to the server that no run of the script has answered yet. Messages begin with the
// tags of their fields: a BackMsg with `rerun_script` (11), whose `fragment_id` (5) comes after other texts, and a
// ForwardMsg with hash and metadata (1, 2), and then `new_session` (4). Streamlit drops without an answer what is sent
// for a fragment that a run of the whole page has removed meanwhile (`AppSession.request_rerun`). So a fragment's
// message counts for ten seconds at most if no script runs; one of the whole page, the first one too, until its answer.
(() => {
  const { send } = WebSocket.prototype;
  let sent = null; // when the last one was, and whether any was of the whole page
  const runs = (bytes, at = 0) =>
    bytes[at] === 34 || ([10, 18].includes(bytes[at]) && runs(bytes, at + 2 + bytes[at + 1]));
  const sized = (bytes, at) => {
    // the length that is written at this place, and the place after it
    let length = 0,
      part = 0;
    do length += (bytes[at] & 127) << (7 * part++);
    while (bytes[at++] > 127);
    return [length, at];
  };
  const whole = (bytes) => {
    let [, at] = sized(bytes, 1),
      length;
    while ([10, 18, 26, 34].includes(bytes[at])) {
      [length, at] = sized(bytes, at + 1);
      at += length;
    }
    return bytes[at] !== 42 || bytes[at + 1] === 0;
  };
  const dropped = () => {
    const script = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
    return !sent.whole && performance.now() > sent.at + 10_000 && script === "notRunning";
  };
  Object.defineProperty(window, "unanswered", { get: () => sent !== null && !dropped() });
  WebSocket.prototype.send = function (data) {
    const bytes = new Uint8Array(data);
    if (bytes[0] === 90) {
      sent = { at: performance.now(), whole: whole(bytes) || Boolean(sent?.whole) };
      const answered = ({ type, data }) => {
        if (type === "message" && !runs(new Uint8Array(data))) return;
        sent = null;
        for (const kind of ["message", "close"]) this.removeEventListener(kind, answered);
      };
      for (const kind of ["message", "close"]) this.addEventListener(kind, answered);
    }
    return send.call(this, data);
  };
})();
