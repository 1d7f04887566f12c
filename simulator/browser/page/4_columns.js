// Of what stands in a table: what its column is called.

const CELLS = "td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]";
const ROWS = "tr,[role=row]";
const HEADED = "table,[role=table],[role=grid],[role=treegrid]";
const cellsOf = (row) => [...row.children].filter((at) => at.matches(CELLS));
const isHeader = (cell) => tagOf(cell) === "th" || roleOf(cell) === "columnheader";
const widthOf = (cell) => cell.colSpan || 1;
// The headers over the columns of a table: the texts of its first row, if that is one of headers.
const headersOf = (table) => once("headers", table, () => {
  const row = [...table.querySelectorAll(ROWS)].find((at) => closest(at, HEADED) === table);
  const cells = row ? cellsOf(row) : [];
  const isHead = cells.length > 1 && (cells.every(isHeader) || (cells.filter(isHeader).length === cells.length - 1 && !fold(cells[0].textContent)));
  return isHead ? cells.flatMap((cell) => Array(widthOf(cell)).fill(cut(fold(cell.textContent), 80))) : [];
});
function headersAround(el) {
  const table = closest(el, HEADED);
  return table ? headersOf(table) : [];
}
// Cells of rows before that reach into a row, and the row of one cell that heads the ones after it: their texts are its own.
function spanning(row) {
  const table = closest(row, HEADED);
  if (!table?.querySelector("[rowspan]")) return [];
  const found = [];
  for (let at = row.previousElementSibling, rows = 2; at && rows < 100; at = at.previousElementSibling, rows++) {
    found.push(...cellsOf(at).filter((cell) => cell.rowSpan >= rows));
  }
  return found;
}
function groupRow(row) {
  const heads = (at) => tagOf(at) === "tr" && cellsOf(at).length === 1 && widthOf(cellsOf(at)[0]) > 1 && tagOf(cellsOf(at)[0]) === "th";
  if (heads(row)) return null;
  let at = row.previousElementSibling;
  while (at && !heads(at)) at = at.previousElementSibling;
  return at;
}
function columnOf(el) {
  const cell = closest(el, CELLS);
  const row = cell && closest(cell, ROWS);
  if (!row || isHeader(cell)) return "";
  const before = cellsOf(row).slice(0, cellsOf(row).indexOf(cell));
  return headersAround(el)[before.reduce((sum, at) => sum + widthOf(at), 0)] || "";
}
