// Follows the theme that was selected in Cockpit's menu, as Cockpit's own pages do. The name of the class depends on the
// version of PatternFly, so all names are set.
(() => {
    const CLASSES = ["pf-theme-dark", "pf-v5-theme-dark", "pf-v6-theme-dark"];
    const system = window.matchMedia("(prefers-color-scheme: dark)");

    function apply(selected) {
        const style = selected || localStorage.getItem("shell:style") || "auto";
        const isDark = style === "dark" || (style === "auto" && system.matches);
        for (const name of CLASSES)
            document.documentElement.classList.toggle(name, isDark);
    }

    window.addEventListener("storage", event => { if (event.key === "shell:style") apply(); });
    // The shell sends this event to its frames, because a page does not get storage events for its own changes.
    window.addEventListener("cockpit-style", event => apply(event.detail?.style));
    system.addEventListener("change", () => apply());
    apply();
})();
