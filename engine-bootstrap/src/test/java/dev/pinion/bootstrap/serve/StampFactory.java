package dev.pinion.bootstrap.serve;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;

/** Writes the id of a message, which is unique, into it. */
public final class StampFactory implements HandlerFactory {
  private static final String FIELD = "header.x-stamp";

  /** For the service loader. */
  public StampFactory() {}

  @Override
  public String name() {
    return "test-stamp";
  }

  @Override
  public String summary() {
    return "Writes the id of a message into it.";
  }

  @Override
  public Handler create(Settings settings) {
    String pointer = settings.text("pointer", "");
    Slot slot = pointer.isEmpty() ? Slot.property(FIELD) : Slot.parse("body:" + pointer);
    return new Handler() {
      @Override
      public Declaration declaration() {
        return Declaration.NOTHING.writing(slot).mandatory();
      }

      @Override
      public Verdict handle(View message) {
        String stamp = message.id().toString();
        return Verdict.goOn(
            pointer.isEmpty()
                ? Changes.NONE.property(FIELD, stamp)
                : Changes.NONE.json(pointer, Payload.of(stamp)));
      }
    };
  }
}
