package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.config.HandlerProvider.RemoteHandlerRequest;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A handler whose work is done by a host. It has the same further operations as the local one. */
class RemoteHandler implements AsyncHandler {
  private final Requester requester;
  private final RemoteHandlerRequest remoteHandlerRequest;

  private RemoteHandler(Requester requester, RemoteHandlerRequest remoteHandlerRequest) {
    this.requester = requester;
    this.remoteHandlerRequest = remoteHandlerRequest;
  }

  static RemoteHandler of(Requester requester, RemoteHandlerRequest remoteHandlerRequest) {
    boolean undoes = remoteHandlerRequest.local() instanceof Undoable;
    boolean commits = remoteHandlerRequest.local() instanceof CommitPoint;
    if (undoes && commits) {
      return new UndoableCommitPoint(requester, remoteHandlerRequest);
    }
    return undoes
        ? new OfUndoable(requester, remoteHandlerRequest)
        : commits
            ? new OfCommitPoint(requester, remoteHandlerRequest)
            : new RemoteHandler(requester, remoteHandlerRequest);
  }

  @Override
  public Declaration declaration() {
    return remoteHandlerRequest.local().declaration();
  }

  @Override
  public void begin(View message, Reply reply) {
    begin(HandlerOperation.HANDLE, message, reply);
  }

  private void begin(HandlerOperation handlerOperation, View message, Reply reply) {
    boolean repeatable =
        handlerOperation == HandlerOperation.HANDLE
            && declaration().effect() == EffectClass.STATELESS;
    HandlerTask handlerTask =
        new HandlerTask(
            handlerOperation,
            remoteHandlerRequest.chain(),
            remoteHandlerRequest.step(),
            remoteHandlerRequest.use(),
            remoteHandlerRequest.settings(),
            message.visible());
    if (remoteHandlerRequest.stored()) {
      requester.store(handlerTask, remoteHandlerRequest.declared().timeout().toNanos(), reply);
      return;
    }
    requester.begin(
        handlerTask, repeatable, remoteHandlerRequest.declared().timeout().toNanos(), reply);
  }

  /** Performs an operation other than handling, and waits for it. */
  void await(HandlerOperation handlerOperation, View message) throws Exception {
    CompletableFuture<Verdict> done = new CompletableFuture<>();
    begin(
        handlerOperation,
        message,
        new Reply() {
          @Override
          public void done(Verdict verdict) {
            done.complete(verdict);
          }

          @Override
          public void failed(Throwable failure) {
            done.completeExceptionally(failure);
          }
        });
    try {
      done.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  Handler local() {
    return remoteHandlerRequest.local();
  }

  @Override
  public void close() {
    remoteHandlerRequest.local().close();
  }

  private static final class OfUndoable extends RemoteHandler implements Undoable {
    OfUndoable(Requester requester, RemoteHandlerRequest remoteHandlerRequest) {
      super(requester, remoteHandlerRequest);
    }

    @Override
    public void undo(View message) throws Exception {
      await(HandlerOperation.UNDO, message);
    }
  }

  private static final class OfCommitPoint extends RemoteHandler implements CommitPoint {
    OfCommitPoint(Requester requester, RemoteHandlerRequest remoteHandlerRequest) {
      super(requester, remoteHandlerRequest);
    }

    @Override
    public void rollBack(View message) throws Exception {
      await(HandlerOperation.ROLL_BACK, message);
    }
  }

  private static final class UndoableCommitPoint extends RemoteHandler
      implements Undoable, CommitPoint {
    UndoableCommitPoint(Requester requester, RemoteHandlerRequest remoteHandlerRequest) {
      super(requester, remoteHandlerRequest);
    }

    @Override
    public void undo(View message) throws Exception {
      await(HandlerOperation.UNDO, message);
    }

    @Override
    public void rollBack(View message) throws Exception {
      await(HandlerOperation.ROLL_BACK, message);
    }
  }
}
