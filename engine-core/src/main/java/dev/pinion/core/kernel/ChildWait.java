package dev.pinion.core.kernel;

import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.ParentLink;

/**
 * The wait of an activity for a child: its name on both sides.
 *
 * @param parent instance of the activity
 * @param activity slot of the activity
 * @param attempt number under which it waits; no other wait of the instance has it
 */
record ChildWait(InstanceId parent, int activity, int attempt) {
  /** The wait of an activity. */
  static ChildWait of(Activity activity, int attempt) {
    return new ChildWait(activity.instance().id(), activity.slot(), attempt);
  }

  /** The wait in which a child was started. */
  static ChildWait of(ParentLink link) {
    return new ChildWait(link.id(), link.activity(), link.attempt());
  }
}
