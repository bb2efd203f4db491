/* filter.js: a box on the index that hides the names without what is typed.
   genindex.html?filter=TEXT begins with TEXT in it. */
"use strict";

(function () {
    const article = document.querySelector("article");
    const sections = [...article.querySelectorAll("section")].slice(1);
    const total = article.querySelectorAll("table li").length;

    const label = document.createElement("label");
    const box = document.createElement("input");
    const count = document.createElement("output");

    /* Each word has to be there, in any case and order. */
    function matches(name, words) {
        return words.every(word => name.includes(word));
    }

    function filterSection(section, words) {
        let shown = 0;

        for (const item of section.querySelectorAll("li")) {
            item.hidden = !matches(item.textContent.toLowerCase(), words);
            shown += item.hidden ? 0 : 1;
        }
        section.hidden = shown === 0;
        return shown;
    }

    function filter() {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;

        for (const section of sections)
            shown += filterSection(section, words);
        article.classList.toggle("filtered", words.length > 0);
        count.textContent = words.length > 0 ?
            `${shown} of ${total} names` : `${total} names`;
    }

    function openFirst(event) {
        const link = article.querySelector("li:not([hidden]) > a");

        if (event.key === "Enter" && link && box.value !== "")
            location.href = link.href;
    }

    label.className = "filter";
    box.type = "search";
    box.placeholder = "Filter: weakref new";
    box.value = new URLSearchParams(location.search).get("filter") || "";
    box.setAttribute("aria-label", "Filter the names");
    box.addEventListener("input", filter);
    box.addEventListener("keydown", openFirst);
    label.append(box, count);
    article.querySelector("h1").after(label);
    filter();
})();
