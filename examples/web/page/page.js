// The server sorts, searches and pages; this shows what it says. No library, no build.
"use strict";

const $ = (id) => document.getElementById(id);
const size = 25;
const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

// What is shown is in the address, so that a link, a reload and "back" show the same.
const address = new URLSearchParams(location.search);
const shown = {
  search: address.get("search") ?? "",
  sort: address.get("sort") ?? "name",
  descending: address.get("descending") === "true",
  page: Number(address.get("page") ?? 1),
};

// Elements are made, never HTML from text: names are what people typed.
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

async function ask(path, signal) {
  const response = await fetch(path, { signal });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error ?? `The server answered ${response.status}.`);
  return body;
}

function fail(error) {
  if (error.name === "AbortError") return;
  $("error").textContent = error.message;
  $("error").hidden = false;
}

let asked = new AbortController();
async function showCustomers() {
  // What was asked before is of no use any more.
  asked.abort();
  asked = new AbortController();
  const body = document.querySelector("#customers tbody");
  body.setAttribute("aria-busy", "true");
  const query = new URLSearchParams({ ...shown, size });
  history.replaceState(null, "", `?${new URLSearchParams(shown)}`);
  try {
    const { total, rows } = await ask(`api/customers?${query}`, asked.signal);
    $("error").hidden = true;
    body.replaceChildren(...rows.map(row));
    const pages = Math.max(1, Math.ceil(total / size));
    $("count").textContent = `${total.toLocaleString()} found`;
    $("page").textContent = `${shown.page} of ${pages}`;
    $("before").disabled = shown.page <= 1;
    $("after").disabled = shown.page >= pages;
    body.setAttribute("aria-busy", "false");
  } catch (error) {
    fail(error);
  }
  for (const head of document.querySelectorAll("th[data-sort]")) {
    if (head.dataset.sort === shown.sort) head.ariaSort = shown.descending ? "descending" : "ascending";
    else head.removeAttribute("aria-sort");
  }
}

function row(customer) {
  const name = element("button", { type: "button", onclick: () => showCustomer(customer.id) }, customer.name);
  // The BLOB came as base64, which is what a data: URL takes.
  const picture = customer.picture && element("img", { src: `data:image/bmp;base64,${customer.picture}`, alt: "" });
  return element("tr", {},
    element("td", {}, picture ?? ""), element("td", {}, name), element("td", {}, customer.city),
    element("td", {}, customer.joined), element("td", { className: "number" }, money.format(customer.spent)));
}

async function showCustomer(id) {
  try {
    const customer = await ask(`api/customers/${id}`);
    $("customer-name").textContent = customer.name;
    $("customer-about").textContent = `${customer.city}, since ${customer.joined}; ${money.format(customer.spent)} in all`;
    $("customer-orders").replaceChildren(...customer.orders.map((order) =>
      element("li", {}, `${order.day}: ${order.count} × ${order.item}, ${money.format(order.price)} each`)));
    $("customer").showModal();
  } catch (error) {
    fail(error);
  }
}

// A bar for each month, from arrays as they come.
async function showSales() {
  try {
    const { month, total } = await ask("api/sales");
    const [width, height, foot, most] = [720, 200, 18, Math.max(...total, 1)];
    const step = width / Math.max(month.length, 1);
    const svg = (name, attributes, ...children) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      made.append(...children);
      return made;
    };
    $("sales").replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Sales of ${month.length} months` },
      svg("line", { x1: 0, x2: width, y1: height - foot, y2: height - foot }),
      ...month.flatMap((name, at) => {
        const tall = (height - foot - 4) * total[at] / most;
        const bar = svg("rect", { x: at * step + 2, y: height - foot - tall, width: Math.max(step - 4, 1), height: tall },
          svg("title", {}, `${name}: ${money.format(total[at])}`));
        const label = svg("text", { x: at * step + 2, y: height - 4 }, name);
        return at % 4 ? [bar] : [bar, label];
      })));
  } catch (error) {
    fail(error);
  }
}

$("word").value = shown.search;
let pause;
$("word").addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(() => {
    Object.assign(shown, { search: $("word").value, page: 1 });
    showCustomers();
  }, 150);
});
$("search").addEventListener("submit", (event) => event.preventDefault());
for (const head of document.querySelectorAll("th[data-sort]")) {
  head.querySelector("button").addEventListener("click", () => {
    const same = shown.sort === head.dataset.sort;
    Object.assign(shown, { sort: head.dataset.sort, descending: same && !shown.descending, page: 1 });
    showCustomers();
  });
}
$("before").addEventListener("click", () => { shown.page -= 1; showCustomers(); });
$("after").addEventListener("click", () => { shown.page += 1; showCustomers(); });
showCustomers();
showSales();
