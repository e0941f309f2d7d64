// Shows the output of `tacet check`.

import { byId, setAttribute, setText } from "./elements.js";
import { absence, run } from "./program.js";

export class Check {
    constructor() {
        byId("check-again").addEventListener("click", () => this.check());
        // The check reads the library, so it waits until the section is in view.
        const observer = new IntersectionObserver(entries => {
            if (!entries[entries.length - 1].isIntersecting)
                return;
            observer.disconnect();
            this.check();
        });
        observer.observe(byId("check"));
    }

    async check() {
        if (this.isRunning)
            return;
        this.isRunning = true;
        // A disabled button would lose the keyboard's focus.
        setAttribute(byId("check-again"), "aria-disabled", "true");
        this.say("Checking …", "unknown");
        // Warnings are written to standard error, and are shown together with the output.
        const { output, error } = await run(["tacet", "check"], { err: "out" });
        this.isRunning = false;
        setAttribute(byId("check-again"), "aria-disabled", null);
        const text = output.trim();
        setText(byId("check-output"), text);
        byId("check-output").hidden = text === "";
        const code = error?.exit_status;
        if (!error)
            this.say("The configuration has no mistakes.", "good");
        else if (code === 1)
            this.say("The configuration has mistakes. Until they are corrected, Tacet uses the last configuration that worked.", "bad");
        else
            this.say(absence(error) ?? `‘tacet check’ ended with ${code ?? error.exit_signal ?? error.message}.`, "bad");
    }

    say(text, verdict) {
        setText(byId("verdict"), text);
        setAttribute(byId("verdict"), "data-verdict", verdict);
    }
}
