// What a picture looks like, coarsely: its size, and the mean colours of its parts, to distinguish the file that a user uploaded
// from another one. Not responsible for: comparing (Python does).

const LOOK_SIDE = 16; // parts on each side
const LOOK_FINE = 256; // pixels on each side from which they are taken
const LOOK_STEP = LOOK_FINE / LOOK_SIDE;
const PICTURES_MS = 3000;
const PICTURES_EVERY_MS = 25;

// Pictures come after their document. One that is to be loaded only where it is seen may never come.
const inView = (el) => {
  const box = el.getBoundingClientRect();
  return box.bottom >= 0 && box.top <= innerHeight;
};
const picturesComing = () => [...document.images].some((el) => !el.complete && (el.loading !== "lazy" || inView(el)));
async function awaitPictures() {
  const end = now() + PICTURES_MS;
  while (picturesComing() && now() < end) await new Promise((go) => later(go, PICTURES_EVERY_MS));
}

// Width, height, and three bytes for each part in hexadecimal; empty where the browser keeps a picture of another host
// from scripts.
function lookOf(img) {
  const drawn = new OffscreenCanvas(LOOK_FINE, LOOK_FINE).getContext("2d", { willReadFrequently: true });
  drawn.fillStyle = "#fff"; // what is behind what one can see through
  drawn.fillRect(0, 0, LOOK_FINE, LOOK_FINE);
  drawn.imageSmoothingQuality = "high";
  let pixels;
  try {
    drawn.drawImage(img, 0, 0, LOOK_FINE, LOOK_FINE);
    pixels = drawn.getImageData(0, 0, LOOK_FINE, LOOK_FINE).data;
  } catch {
    return "";
  }
  const sums = new Array(LOOK_SIDE * LOOK_SIDE * 3).fill(0);
  for (let at = 0; at < LOOK_FINE * LOOK_FINE; at++) {
    const part = Math.floor(at / LOOK_FINE / LOOK_STEP) * LOOK_SIDE + Math.floor((at % LOOK_FINE) / LOOK_STEP);
    for (let colour = 0; colour < 3; colour++) sums[part * 3 + colour] += pixels[at * 4 + colour];
  }
  const bytes = sums.map((sum) => Math.round(sum / LOOK_STEP ** 2).toString(16).padStart(2, "0"));
  return `${img.naturalWidth}x${img.naturalHeight} ${bytes.join("")}`;
}
