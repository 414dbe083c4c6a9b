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
 * A running stage of one message. Each step has a slot for its result, written by the worker that
 * runs the step and read by the last one to arrive at the end of the stage.
 */
final class StageResults {
  private final ChainSteps chain;
  private final int firstStep;
  private final List<Step> steps;
  private final Message message;
  private final AtomicInteger under;
  private final @Nullable Verdict[] verdicts;
  private final @Nullable Message[] changed;
  private final @Nullable Throwable[] failures;

  /**
   * A new stage.
   *
   * @param firstStep place of its first step in the chain
   * @param message the input of all its steps
   * @param bins number of its workers
   */
  StageResults(ChainSteps chain, int firstStep, List<Step> steps, Message message, int bins) {
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
    return chain.view(message, step);
  }

  StepCounters counters(int place) {
    return chain.counters(firstStep + place);
  }

  /** Stores the verdict of a step, or returns the reason why it is not allowed. */
  @Nullable Throwable accept(int place, @Nullable Verdict verdict) {
    if (step(place).declaration().oneway()) {
      return null; // its verdict is not used
    }
    try {
      changed[place] = chain.check().apply(verdict, step(place).declaration(), message);
      verdicts[place] = verdict;
      return null;
    } catch (InvalidVerdictException e) {
      return e;
    } catch (Throwable e) { // accessing a handler's body or text may throw anything
      return e;
    }
  }

  /** Stores the failure of a step. */
  void giveUp(int place, @Nullable Throwable failure) {
    failures[place] = Objects.requireNonNullElseGet(failure, IllegalStateException::new);
  }

  /** Records that a worker is done here; returns whether it was the last one. */
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
   * The message after the changes of a step that let it continue.
   *
   * @param before the message after the changes of the steps before it in this stage
   * @param first whether none of these changed anything
   */
  Message merged(int place, Message before, boolean first) throws InvalidVerdictException {
    Message known = changed[place];
    return first && known != null
        ? known
        : chain.check().apply(verdicts[place], step(place).declaration(), before);
  }
}
