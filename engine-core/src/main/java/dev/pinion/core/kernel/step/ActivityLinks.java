package dev.pinion.core.kernel.step;

/** The list of children that an activity has, the youngest first. */
final class ActivityLinks {
  private ActivityLinks() {}

  /** Makes an activity a child of another one. */
  static void link(Activity parent, Activity child) {
    Activity first = parent.firstChild;
    child.nextSibling = first;
    if (first != null) {
      first.previousSibling = child;
    }
    parent.firstChild = child;
  }

  /** Makes an activity no child of another one any more. */
  static void unlink(Activity parent, Activity child) {
    if (child.previousSibling != null) {
      child.previousSibling.nextSibling = child.nextSibling;
    } else {
      parent.firstChild = child.nextSibling;
    }
    if (child.nextSibling != null) {
      child.nextSibling.previousSibling = child.previousSibling;
    }
    child.previousSibling = null;
    child.nextSibling = null;
  }
}
