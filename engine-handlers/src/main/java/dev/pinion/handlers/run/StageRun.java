package dev.pinion.handlers.run;

import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.Step;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One stage under way for one message. Each step has a place for its result, written by the worker
 * that does the step and read by the last one to arrive at the end of the stage.
 */
final class StageRun {
  private final Chain chain;
  private final int firstStep;
  private final List<Step> steps;
  private final Message message;
  private final AtomicInteger under;
  private final @Nullable Verdict[] verdicts;
  private final @Nullable Message[] changed;
  private final @Nullable Throwable[] failures;

  /**
   * A stage that begins.
   *
   * @param firstStep place of its first step in the chain
   * @param message what all of its steps see
   * @param bins how many workers are on it
   */
  StageRun(Chain chain, int firstStep, List<Step> steps, Message message, int bins) {
    this.chain = chain;
    this.firstStep = firstStep;
    this.steps = steps;
    this.message = message;
    this.under = new AtomicInteger(bins);
    this.verdicts = new Verdict[steps.size()];
    this.changed = new Message[steps.size()];
    this.failures = new Throwable[steps.size()];
  }

  int size() {
    return steps.size();
  }

  Step step(int place) {
    return steps.get(place);
  }

  Message message() {
    return message;
  }

  View view(Step step) {
    return new View(message, step.declaration(), chain.check().codec());
  }

  StepCounters counters(int place) {
    return chain.counters(firstStep + place);
  }

  /** Keeps what a step says, or answers why it may not say that. */
  @Nullable Throwable accept(int place, @Nullable Verdict verdict) {
    if (step(place).declaration().oneway()) {
      return null; // nobody looks at what it says
    }
    try {
      changed[place] = chain.check().apply(verdict, step(place).declaration(), message);
      verdicts[place] = verdict;
      return null;
    } catch (BadVerdictException e) {
      return e;
    } catch (Throwable e) { // a body or text of a handler may do anything when it is looked at
      return e;
    }
  }

  /** Keeps why a step could not be done. */
  void giveUp(int place, @Nullable Throwable failure) {
    failures[place] = Objects.requireNonNullElseGet(failure, IllegalStateException::new);
  }

  /** A worker has nothing more to do here; answers whether it was the last one. */
  boolean arrive() {
    return under.decrementAndGet() == 0;
  }

  @Nullable Verdict verdict(int place) {
    return verdicts[place];
  }

  @Nullable Throwable failure(int place) {
    return failures[place];
  }

  /**
   * A message after the changes of a step that let it go on.
   *
   * @param before the message after the changes of the steps before it in this stage
   * @param first whether none of these changed anything
   */
  Message merged(int place, Message before, boolean first) throws BadVerdictException {
    Message known = changed[place];
    return first && known != null
        ? known
        : chain.check().apply(verdicts[place], step(place).declaration(), before);
  }
}
