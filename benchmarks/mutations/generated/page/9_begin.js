// A document is changed when it is whole and before its own scripts hear so; what comes later, as it comes.
document.addEventListener("DOMContentLoaded", begin, true);
