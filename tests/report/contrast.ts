import type { Page } from "playwright-core";

/** Texts on the screen whose contrast is below what WCAG AA requires. */
export function findFaintTexts(page: Page): Promise<string[]> {
  return page.evaluate(measureTexts);
}

// Runs in the page, so it can't use anything defined outside of it.
function measureTexts(): string[] {
  type Color = [number, number, number, number];
  // biome-ignore lint/suspicious/noExplicitAny: the page's globals, unknown to this side
  const { document, getComputedStyle, innerWidth, innerHeight } = globalThis as any;
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  // Whatever notation a colour has, a pixel has four numbers.
  function read(color: string): Color {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }

  function over([r, g, b, a]: Color, [x, y, z]: Color): Color {
    return [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  }

  // biome-ignore lint/suspicious/noExplicitAny: an element of the page
  function groundOf(element: any): Color {
    if (!element) return read("Canvas");
    const own = read(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, groundOf(element.parentElement));
  }

  function luminance(color: Color): number {
    const [r, g, b] = color.slice(0, 3).map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  const faint: string[] = [];
  let measured = 0;
  for (const element of document.querySelectorAll("body *")) {
    const nodes = [...element.childNodes];
    const isText = nodes.some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    const box = element.getBoundingClientRect();
    const isShown =
      box.width > 1 && box.bottom > 0 && box.top < innerHeight && box.left < innerWidth;
    if (!isText || !isShown || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName)) continue;
    // A dialog covers what is behind it.
    const modal = document.querySelector("dialog[open]");
    if (modal && !modal.contains(element)) continue;
    const style = getComputedStyle(element);
    const isSvg = element.namespaceURI.endsWith("svg");
    if (isSvg && element.tagName === "title") continue;
    measured += 1;
    const ground = groundOf(element);
    const ink = over(read(isSvg ? style.fill : style.color), ground);
    const [high, low] = [luminance(ink), luminance(ground)].sort((a, b) => b - a) as [
      number,
      number,
    ];
    const ratio = (high + 0.05) / (low + 0.05);
    const isLarge = Number.parseFloat(style.fontSize) >= 24;
    if (ratio < (isLarge ? 3 : 4.5))
      faint.push(
        `${ratio.toFixed(2)} ${element.tagName}.${element.getAttribute("class")} ${element.textContent.slice(0, 40)}`,
      );
  }
  if (measured === 0) throw new Error("there is no text on the screen");
  return faint;
}
