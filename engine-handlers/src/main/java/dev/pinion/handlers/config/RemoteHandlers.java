package dev.pinion.handlers.config;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;

/** Puts handlers elsewhere: the port of handler hosts. */
public interface RemoteHandlers {
  /** A handler that has its work done by a host; closing it closes the local one as well. */
  Handler place(Placement placement);

  /**
   * A handler to be put elsewhere.
   *
   * @param chain name of its chain
   * @param step its name in the chain
   * @param use the kind of handler
   * @param settings what the chain sets
   * @param local such a handler here
   * @param declared what is true of this use of it
   * @param module the module that the handler belongs to, or an empty text
   * @param auto whether it may also run here, when that is faster
   * @param stored whether a server keeps each message until a host has done with it
   */
  record Placement(
      String chain,
      String step,
      String use,
      Payload settings,
      Handler local,
      Declaration declared,
      String module,
      boolean auto,
      boolean stored) {}
}
