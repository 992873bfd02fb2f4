"use strict";
// What all parts of the page share: its data, and small helpers. All text from the data goes
// through textContent, so that a file name can never become markup.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const svgNamespace = "http://www.w3.org/2000/svg";

function svg(name, attributes, text) {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function html(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function option(value, text) {
  const element = html("option", { value });
  element.textContent = text;
  return element;
}

const metricById = new Map(data.metrics.map((metric) => [metric.id, metric]));
const colour = (variant) => data.variants[variant].colour;

function formatBytes(bytes) {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 100000 ? 1 : 0)} kB`;
}

function formatScore(value, metric) {
  return value === null || value === undefined ? "–" : value.toFixed(metric.decimals) + (metric.unit ? ` ${metric.unit}` : "");
}

function formatChange(percent) {
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(1)}\u00a0%`;
}

for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
