package dev.pinion.handlers;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.Around;

/** A chain without handlers: every message goes on as it is, at once, on the calling thread. */
public final class PassThrough implements Around {
  /** Holds no state; one serves all. */
  public PassThrough() {}

  @Override
  public void handle(Point point, DefinitionKey definition, Payload message, Continuation then) {
    then.proceed(message);
  }
}
