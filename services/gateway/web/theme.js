// Before the first paint: the theme resolved, the words of the language on their way. Classic script, run in <head>.
(function () {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try { return JSON.parse(localStorage.getItem("quartet.settings") || "{}"); } catch { return {}; }
  };
  const resolve = () => {
    const chosen = stored().theme;
    const theme = chosen === "light" || chosen === "dark" ? chosen : dark.matches ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", theme === "dark" ? "#0A111E" : "#F3F6FA");
  };
  resolve();
  dark.addEventListener("change", resolve);
  addEventListener("quartet:theme", resolve);

  // A file of this page that is gone: a newer release is served meanwhile. Loaded anew, the page is of that one; once in
  // ten seconds, for it may be gone for another reason.
  const renew = async () => {
    try {
      if (Date.now() - Number(sessionStorage.getItem("quartet.renewed")) < 10_000) return;
      while (!(await fetch("/", { method: "HEAD" }).catch(() => null))?.ok) await new Promise((done) => setTimeout(done, 1000));
      sessionStorage.setItem("quartet.renewed", String(Date.now()));
    } catch { return; } // private mode: nothing says how often it was tried
    location.reload();
  };
  addEventListener("quartet:gone", renew);
  addEventListener("error", (event) => { if (event.target instanceof HTMLScriptElement) renew(); }, true);

  // What is painted before the modules are here is the way in; a table has another face.
  if (location.hash.length > 1) document.documentElement.dataset.at = "table";

  const named = [stored().lang, ...navigator.languages].map((name) => (name || "").slice(0, 2).toLowerCase());
  const words = document.createElement("link");
  words.rel = "preload";
  words.as = "fetch";
  words.crossOrigin = "anonymous";
  words.href = `i18n/${named.find((name) => ["en", "nl", "fr"].includes(name)) || "en"}.json`;
  document.head.append(words);
})();
