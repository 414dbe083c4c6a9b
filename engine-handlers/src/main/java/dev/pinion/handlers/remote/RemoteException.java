package dev.pinion.handlers.remote;

/** A handler host could not do what it was asked to, or no host was there to ask. */
final class RemoteException extends Exception {
  RemoteException(String message) {
    super(message);
  }
}
