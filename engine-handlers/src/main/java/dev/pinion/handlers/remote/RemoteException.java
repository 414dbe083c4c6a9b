package dev.pinion.handlers.remote;

/** A handler host failed to do its task, or there was no host. */
final class RemoteException extends Exception {
  RemoteException(String message) {
    super(message);
  }
}
