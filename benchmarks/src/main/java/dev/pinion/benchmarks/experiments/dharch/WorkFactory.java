package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;

/**
 * A kind of handlers that reads the body of a message, does real work and records the result in a
 * separate property. None depends on another one, as in the paper.
 */
abstract class WorkFactory implements HandlerFactory {
  /** Most work that can be configured for a handler. */
  static final int MAX_SIZE = 1 << 26;

  private final String name;
  private final String summary;

  WorkFactory(String name, String summary) {
    this.name = name;
    this.summary = summary;
  }

  /** Creates the work; checks the settings. */
  abstract BodyWork work(Settings settings);

  /** Declared effects besides reading the body and writing its property. */
  Declaration declaration() {
    return Declaration.NOTHING.reading(new Slot.Bytes()).writing(Slot.property(name)).mandatory();
  }

  /** The result as a change of the property of this kind. */
  final Changes result(String what) {
    return Changes.NONE.property(name, what);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String summary() {
    return summary;
  }

  @Override
  public final Handler create(Settings settings) {
    return new WorkHandler(declaration(), work(settings));
  }

  private record WorkHandler(Declaration declaration, BodyWork work) implements Handler {
    @Override
    public Verdict handle(View message) throws Exception {
      return Verdict.goOn(work.of(message.bytes()));
    }

    @Override
    public void close() {
      work.close();
    }
  }
}
