package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;

/** Does next to nothing without declaring it: {@code auto} has to discover that. */
public final class TinyWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-tiny";

  /** For the service loader. */
  public TinyWorkFactory() {
    super(NAME, "Does next to nothing with a message of the experiments.");
  }

  @Override
  Declaration declaration() {
    return Declaration.NOTHING.reading(new Slot.Bytes()).mandatory();
  }

  @Override
  BodyWork work(Settings settings) {
    return body -> Changes.NONE;
  }
}
