package dev.pinion.handlers.config;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;

/** Places handlers in other processes: the port of handler hosts. */
public interface HandlerProvider {
  /** A handler that lets a host do its work; closing it closes the local one as well. */
  Handler provide(RemoteHandlerRequest remoteHandlerRequest);

  /**
   * A handler to be placed elsewhere.
   *
   * @param chain name of its chain
   * @param step its name in the chain
   * @param use the kind of handler
   * @param settings settings of the chain
   * @param local a local handler of the same kind
   * @param declared declaration of this use
   * @param module the module that the handler belongs to, or an empty text
   * @param auto whether it may also run here, when that is faster
   * @param stored whether a server stores each message until a host has processed it
   */
  record RemoteHandlerRequest(
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
