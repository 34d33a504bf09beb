// Style sheets that are fetched at need, each once.

/** @type {Map<string, Promise<unknown>>} */
const fetched = new Map();

/** @param {string} href */
export function style(href) {
  const known = fetched.get(href);
  if (known) return known;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  const here = new Promise((done) => {
    link.onload = done;
    link.onerror = () => {
      fetched.delete(href);
      link.remove();
      dispatchEvent(new Event("quartet:gone"));
      done(null); // what it dresses is drawn meanwhile
    };
  });
  document.head.append(link);
  fetched.set(href, here);
  return here;
}
