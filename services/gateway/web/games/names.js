// The names of the games this client can draw: what the start page needs of them.

/** @param {string} name */
export const knows = (name) => name === "quatro" || name === "kwartet";
