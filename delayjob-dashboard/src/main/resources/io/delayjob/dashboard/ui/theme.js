/* Before the first paint, and so not a module: the theme that the user chose, lest the page flashes in the other one. */
try {
    const theme = localStorage.getItem('delayjob.theme');
    if (theme) document.documentElement.dataset.theme = theme;
} catch {
    /* a private window keeps nothing */
}
