// Follows the theme that was selected in Cockpit's menu, as Cockpit's own pages do. The class's name depends on the
// version of PatternFly, so all of them are set.
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
    // The shell tells its frames, because a page gets no storage event for what it stored itself.
    window.addEventListener("cockpit-style", event => apply(event.detail?.style));
    system.addEventListener("change", () => apply());
    apply();
})();
