// Addresses of the page, and of what it leads and sends to, that hold something under the name of a secret.
const SECRET_NAME = new RegExp(`${secretNames}[^=]*=`, "i");
const ADDRESSING = ["href", "action", "formaction", ...REQUESTING];
const ADDRESSED = ADDRESSING.map((name) => `[${name}*="="]`).join();
const holdsKey = (address) => SECRET_NAME.test(address.replace(/([a-z])(?=[A-Z])/g, "$1_"));
const MAX_KEYED = 20;
function keyAddresses() {
  const given = all(document, ADDRESSED).flatMap((el) => ADDRESSING.map((name) => el.getAttribute(name) || ""));
  return [...new Set([location.href, ...activity.done.map(([, url]) => url), ...given])].filter(holdsKey).slice(0, MAX_KEYED);
}
