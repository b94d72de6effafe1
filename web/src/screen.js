// The maps on the whole screen, or on the whole window where the browser does not allow that.
export class FullScreen {
  constructor(node, changed) {
    this.node = node;
    this.changed = changed;
    document.addEventListener("fullscreenchange", () => {
      if (!document.fullscreenElement) this.set(false);
    });
  }

  get on() {
    return this.node.classList.contains("full");
  }

  set(on) {
    if (on === this.on) return;
    this.node.classList.toggle("full", on);
    this.changed(on);
  }

  async toggle() {
    const on = !this.on;
    if (!on && document.fullscreenElement) {
      await document.exitFullscreen();
      return;
    }
    // A browser allows it after a click or a key only, and says so loudly otherwise.
    if (on && navigator.userActivation?.isActive !== false) await this.node.requestFullscreen?.().catch(() => {});
    this.set(on);
  }
}
