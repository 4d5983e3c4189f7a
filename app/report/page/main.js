// From top to bottom.

function reveal(id) {
  byId(id).hidden = false;
  document.querySelector(`nav a[href="#${id}"]`).hidden = false;
}

/** Lets the browser show what is there before the next figure is drawn. */
const pause = () => new Promise((go) => { requestAnimationFrame(() => setTimeout(go)); });

async function showEverything() {
  startTheme();
  showVerdicts();
  showDetails();
  for (const show of [showEnergy, showForces, showTrajectory, showInterface, showBody, showScene]) {
    await pause();
    show();
  }
  preparePrinting();
  await pause();
  document.documentElement.dataset.drawn = String(Math.round(performance.now()));  // ms since the page was asked for
}

showEverything();
