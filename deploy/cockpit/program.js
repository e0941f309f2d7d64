// Runs `tacet`, and reads its output.
/* global cockpit */

/// Runs a program. Returns its output, and the error if it failed.
export function run(words, options = {}) {
    let output = "";
    const process = cockpit.spawn(words, { superuser: "try", err: "message", environ: ["LC_ALL=C.UTF-8"], ...options });
    process.stream(data => { output += data; });
    return Promise.resolve(process).then(() => ({ output }), error => ({ output, error }));
}

/// Returns the reason why `tacet` could not be run, for people, or undefined if it ran.
export function absence(error) {
    if (error?.problem === "not-found")
        return "The program tacet is not installed on this machine. Run: apt install tacet";
    if (error?.problem === "access-denied")
        return "You do not have permission to run programs on this machine.";
    return error?.problem ? `The program tacet cannot be run: ${error.message || error.problem}` : undefined;
}

export const isDictionary = value => typeof value === "object" && value !== null && !Array.isArray(value);
export const isListOf = is => value => Array.isArray(value) && value.every(is);
export const isText = value => typeof value === "string";

function parse(output, is) {
    try {
        const answer = JSON.parse(output);
        return is(answer) ? answer : undefined;
    } catch (error) {
        return undefined;
    }
}

/// Asks a sub-command for its JSON object.
/// @param is returns true if an object has the expected shape; that of another version may not have it
/// @returns the answer, or undefined if there is none; messages for people about it; and the error if it failed
export async function ask(name, words, is) {
    const { output, error } = await run(["tacet", name, "--json", ...words]);
    const answer = parse(output, is);
    const missing = absence(error);
    if (missing)
        return { error, notes: [missing] };
    if (!answer && error && output.trim() === "")
        return { error, notes: [error.message] };
    if (!answer)
        return { error, notes: [`This page does not understand the answer of ‘tacet ${name}’. Update the cockpit-tacet package.`] };
    const problems = Array.isArray(answer.problems) ? answer.problems.filter(isText) : [];
    return { answer, error, notes: error ? [...problems, error.message] : problems };
}
