// Resolves the theme and the language of the page before the first paint. Classic script, run in <head>.
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
})();
