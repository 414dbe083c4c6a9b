package dev.pinion.handlers.config;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;

/** Puts handlers elsewhere: the port of handler hosts. */
public interface RemoteHandlers {
  /**
   * A handler that has its work done by a host.
   *
   * @param use the kind of handler
   * @param settings what the chain sets
   * @param local such a handler here, which says what is declared; closed with the one returned
   * @param module the module that the handler belongs to, or an empty text
   * @param auto whether it may also run here, when that is faster
   */
  Handler place(String use, Payload settings, Handler local, String module, boolean auto);
}
