// Dark or light: as the system has it, until the reader chooses.
import { curve_colours, element } from "./dom.js";

const theme_listeners = [];
const system_dark = matchMedia("(prefers-color-scheme: dark)");

export function on_theme(listener) {
  theme_listeners.push(listener);
}

// A page that may not remember still works.
function remembered() {
  try {
    return localStorage.getItem("asperity-theme");
  } catch {
    return null;
  }
}
function remember(theme) {
  try {
    localStorage.setItem("asperity-theme", theme);
  } catch {
    // then only for now
  }
}

/// The same colour, as bright on dark ground as it is dark on light ground.
function lighter(hex) {
  const part = (i) => Math.round(parseInt(hex.slice(i, i + 2), 16) * 0.75 + 64).toString(16).padStart(2, "0");
  return `#${part(1)}${part(3)}${part(5)}`;
}

function set_theme(theme) {
  document.documentElement.dataset.theme = theme;
  curve_colours.forEach((hex, i) => document.documentElement.style.setProperty(`--curve${i}`, theme === "dark" ? lighter(hex) : hex));
  theme_listeners.forEach((listener) => listener());
}
const system_theme = () => (system_dark.matches ? "dark" : "light");
system_dark.addEventListener("change", () => remembered() ?? set_theme(system_theme()));

export function start_theme(palette) {
  curve_colours.push(...palette);
  set_theme(remembered() === "dark" || remembered() === "light" ? remembered() : system_theme());
}

export function theme_button() {
  const button = element("button", { type: "button", id: "theme" });
  const other = () => (document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  const name = () => {
    button.textContent = other() === "light" ? "☀ Light" : "☾ Dark";
    button.setAttribute("aria-label", `Change to the ${other()} theme`);
  };
  button.addEventListener("click", () => {
    const theme = other();
    remember(theme);
    set_theme(theme);
  });
  on_theme(name);
  name();
  return button;
}
