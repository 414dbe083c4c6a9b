package dev.pinion.handlers.run;

import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.Step;
import java.util.concurrent.atomic.AtomicInteger;

/** A scripted handler. */
final class ScriptedHandler implements Undoable, CommitPoint {
  private final Declaration declaration;
  private final Script handle;
  private Action undo = view -> {};
  private Action rollBack = view -> {};
  final AtomicInteger closed = new AtomicInteger();

  private ScriptedHandler(Declaration declaration, Script handle) {
    this.declaration = declaration;
    this.handle = handle;
  }

  static ScriptedHandler of(Declaration declaration, Script handle) {
    return new ScriptedHandler(declaration, handle);
  }

  ScriptedHandler undoing(Action action) {
    undo = action;
    return this;
  }

  ScriptedHandler rollingBack(Action action) {
    rollBack = action;
    return this;
  }

  Step as(String name) {
    return Step.of(name, this);
  }

  @Override
  public Declaration declaration() {
    return declaration;
  }

  @Override
  public Verdict handle(View message) throws Exception {
    return handle.verdict(message);
  }

  @Override
  public void undo(View message) throws Exception {
    undo.run(message);
  }

  @Override
  public void rollBack(View message) throws Exception {
    rollBack.run(message);
  }

  @Override
  public void close() {
    closed.incrementAndGet();
  }

  interface Script {
    Verdict verdict(View message) throws Exception;
  }

  interface Action {
    void run(View message) throws Exception;
  }
}
