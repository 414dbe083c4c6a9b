package dev.pinion.handlers.remote;

/** A handler host failed to do its task, or there was no host. */
final class RemoteHandlerException extends Exception {
  RemoteHandlerException(String message) {
    super(message);
  }
}
