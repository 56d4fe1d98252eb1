/* Sets the theme that the user chose. This runs before the first paint, and so is not a module; otherwise the page
 * would flash in the other theme. */
try {
    const theme = localStorage.getItem('delayjob.theme');
    if (theme) document.documentElement.dataset.theme = theme;
} catch {
    /* a private window keeps nothing */
}
