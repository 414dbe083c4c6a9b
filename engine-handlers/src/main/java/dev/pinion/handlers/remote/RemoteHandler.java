package dev.pinion.handlers.remote;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.config.RemoteHandlers.Placement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A handler whose work is done by a host. It has the same further operations as the local one. */
class RemoteHandler implements AsyncHandler {
  private final Requester requester;
  private final Placement placement;

  private RemoteHandler(Requester requester, Placement placement) {
    this.requester = requester;
    this.placement = placement;
  }

  static RemoteHandler of(Requester requester, Placement placement) {
    boolean undoes = placement.local() instanceof Undoable;
    boolean commits = placement.local() instanceof CommitPoint;
    if (undoes && commits) {
      return new UndoableCommitPoint(requester, placement);
    }
    return undoes
        ? new OfUndoable(requester, placement)
        : commits
            ? new OfCommitPoint(requester, placement)
            : new RemoteHandler(requester, placement);
  }

  @Override
  public Declaration declaration() {
    return placement.local().declaration();
  }

  @Override
  public void begin(View message, Reply reply) {
    begin(Operation.HANDLE, message, reply);
  }

  private void begin(Operation operation, View message, Reply reply) {
    boolean repeatable =
        operation == Operation.HANDLE && declaration().effect() == EffectClass.STATELESS;
    Task task =
        new Task(
            operation,
            placement.chain(),
            placement.step(),
            placement.use(),
            placement.settings(),
            message.visible());
    if (placement.stored()) {
      requester.store(task, placement.declared().timeout().toNanos(), reply);
      return;
    }
    requester.begin(task, repeatable, placement.declared().timeout().toNanos(), reply);
  }

  /** Performs an operation other than handling, and waits for it. */
  void await(Operation operation, View message) throws Exception {
    CompletableFuture<Verdict> done = new CompletableFuture<>();
    begin(
        operation,
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
    return placement.local();
  }

  @Override
  public void close() {
    placement.local().close();
  }

  private static final class OfUndoable extends RemoteHandler implements Undoable {
    OfUndoable(Requester requester, Placement placement) {
      super(requester, placement);
    }

    @Override
    public void undo(View message) throws Exception {
      await(Operation.UNDO, message);
    }
  }

  private static final class OfCommitPoint extends RemoteHandler implements CommitPoint {
    OfCommitPoint(Requester requester, Placement placement) {
      super(requester, placement);
    }

    @Override
    public void rollBack(View message) throws Exception {
      await(Operation.ROLL_BACK, message);
    }
  }

  private static final class UndoableCommitPoint extends RemoteHandler
      implements Undoable, CommitPoint {
    UndoableCommitPoint(Requester requester, Placement placement) {
      super(requester, placement);
    }

    @Override
    public void undo(View message) throws Exception {
      await(Operation.UNDO, message);
    }

    @Override
    public void rollBack(View message) throws Exception {
      await(Operation.ROLL_BACK, message);
    }
  }
}
