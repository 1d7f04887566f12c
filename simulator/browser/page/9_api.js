// How the page script is reached: by Playwright's selector engines, and by the name __sim.

// The selector engines live in another world of the same document and ask by an event: "ENGINE BODY". Every element
// of the answer sends one back. Heard at the window: a new window keeps it when its first document comes.
const ENGINES = { sim: resolve, simfind: findAll };
listen(
  window,
  "sim:ask",
  (event) => {
    event.stopImmediatePropagation();
    const [engine] = event.detail.split(" ", 1);
    try {
      for (const el of ENGINES[engine](event.detail.slice(engine.length + 1))) el.dispatchEvent(new Event("sim:answer", { composed: true }));
    } catch (error) {
      window.dispatchEvent(new CustomEvent("sim:failure", { detail: error.message }));
    }
  },
  true,
);

// What an agent reads with references. They are numbered on from those that it was given of other documents, so that a
// reference to something that has gone never means something else.
const READ = { readForms, readLinks, readButtons, readClosedMenus, readTree, readCandidates, readBlocks, readOne, readEditor, discover, formElements, readSurvey };
function reading(given, name, ...asked) {
  refCount = Math.max(refCount, given);
  const answer = READ[name](...asked);
  return asJson({ answer, given: refCount });
}

// What is said of what a selector of the engine "sim" proves now, without a way through another world; null where nothing is.
function aboutPressed(selector) {
  const [el] = resolve(decodeURIComponent(selector.slice("sim=".length)));
  return el ? { pressed: actedOn(el) } : null;
}

// Asks for one of these by name, with all that it is asked, as JSON: ``ask`` of script.py.
const told = async (name, asked) => asJson((await api[name](...fromJson(asked))) ?? null);

const tokenOf = () => documentToken;

const api = { told, aboutPressed, tokenOf, formTexts, mainWords, choices, changedWords, linkTo, piecesOf, dismissing, strangeDialog, dialogClosed, arrivals, reading, codes, readHtml, readTexts, readItems, take, follow, giveUp, stays, explain, proves, evidenceOf, describe, pageState, readText, lacks, sought, placeAt, barePlace, shows, visible, isInReach, roleOf, nameOf, shapeOf, frameNamed, entered, refFor, besideAction, beginChoosing, chooseOn, endChoosing, offered, scrollList, isPicked, letOut, strays, readBack, readMetAtRest, readShown, readAgain, awaitPictures, filesAsked, sumFiles, readFields, stillWritten, saidByHand, leaveField, readThings, readAll, readWhole, actedOn, nextPage, turnedHow, onPage, documentToken };
Object.defineProperty(window, "__sim", { value: Object.freeze(api) });
