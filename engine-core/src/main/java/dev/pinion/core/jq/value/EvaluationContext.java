package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Scope;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One evaluation: its limits and its use of them.
 *
 * <p>A step pays for a node visited or for about sixteen bytes allocated, whichever is more, so
 * that a budget bounds both time and memory. An evaluation beyond a limit fails with an {@link
 * ExpressionException}, which {@code try} does not catch.
 */
public final class EvaluationContext {
  /** Steps of an exception that records its stack. */
  private static final int FAILURE_STEPS = 500;

  /** Java frames for each level of data that is walked. */
  private static final int FRAMES_PER_LEVEL = 2;

  public final Scope scope;
  private final Budget budget;
  private final EvaluationLimits limits;
  private @Nullable IdentityHashMap<Object, String> patterns;
  private int calls;
  private int frames;

  public EvaluationContext(Scope scope, Budget budget, EvaluationLimits limits) {
    this.scope = scope;
    this.budget = budget;
    this.limits = limits;
  }

  public void step() {
    budget.charge(1);
  }

  public void charge(long steps) {
    budget.charge(steps);
  }

  /** Charges for a scan of elements that are adjacent in memory. */
  void scan(long elements) {
    budget.charge(1 + elements / 4);
  }

  /** Charges for a scan of characters. */
  public void scanText(long chars) {
    budget.charge(1 + chars / 32);
  }

  /** Charges for an exception of a library, which walks the stack. */
  public void chargeFailure() {
    budget.charge(FAILURE_STEPS);
  }

  /** Records that the budget was spent in the expression at a place. */
  public void budgetExceededAt(String place) {
    budget.spentAt(place);
  }

  /** Charges for a string of a length before it is made. */
  public void text(long chars) {
    checkText(chars);
    budget.charge(1 + chars / 8);
  }

  /** Fails when a string that is being built has become too long. */
  public void checkText(long chars) {
    if (chars > limits.maxBytes()) {
      throw tooLarge("a string of more than " + limits.maxBytes() + " characters");
    }
  }

  /** Makes a string node and charges for the string. */
  public JsonNode textNode(String text) {
    text(text.length());
    return TextNode.valueOf(text);
  }

  /** Charges for an array with room for a number of elements. */
  public void array(long elements) {
    if (elements * 2 > limits.maxBytes()) {
      throw tooLarge("an array of " + elements + " elements");
    }
    budget.charge(2 + elements / 2);
  }

  /** Charges for an object with a number of members. */
  public void object(long members) {
    if (members * 5 > limits.maxBytes()) {
      throw tooLarge("an object of " + members + " members");
    }
    budget.charge(2 + members * 4);
  }

  /** Whether a call meets a regular expression other than the one it used last in this run. */
  boolean firstUse(Object call, String pattern) {
    if (patterns == null) {
      patterns = new IdentityHashMap<>();
    }
    return !pattern.equals(patterns.put(call, pattern));
  }

  /** Most nesting of JSON that is read. */
  public int maxJsonDepth() {
    return limits.maxJsonDepth();
  }

  /** Most characters of a number in JSON that is read. */
  public int maxNumberChars() {
    return limits.maxNumberChars();
  }

  /** Charges for one more member of an object that has a number of them. */
  public void member(int size) {
    if ((size + 1L) * 5 > limits.maxBytes()) {
      throw tooLarge("an object of more than " + size + " members");
    }
    budget.charge(5);
  }

  /** Charges for one more element of an array that has a number of them. */
  public void element(int size) {
    if ((size + 1L) * 2 > limits.maxBytes()) {
      throw tooLarge("an array of more than " + size + " elements");
    }
    budget.charge(2);
  }

  public int maxBytes() {
    return limits.maxBytes();
  }

  public ExpressionException tooLarge(String found) {
    return new ExpressionException(sizeLimit(found));
  }

  /** The sentence about a value beyond the limit. */
  String sizeLimit(String found) {
    return "expected values of at most "
        + limits.maxBytes()
        + " bytes (instance.maxPayloadBytes), found "
        + found;
  }

  /** Fails when data nests beyond the limit. */
  public void checkDepth(int depth) {
    if (isTooDeep(depth)) {
      throw tooDeep("data");
    }
  }

  /** Fails when data nests beyond the limit, with an error that {@code try} catches as in jq. */
  public void checkDepth(int depth, String problem) {
    if (isTooDeep(depth)) {
      throw new JqException(problem, depthLimit("data"));
    }
  }

  private boolean isTooDeep(int depth) {
    return depth > limits.maxDepth() || frames + FRAMES_PER_LEVEL * depth > limits.maxFrames();
  }

  /** Fails when a result nests so deep that it could not be read again. */
  public void checkResultDepth(int depth) {
    if (depth > limits.maxResultDepth()) {
      throw tooDeep("results");
    }
  }

  /** Enters a function whose code nests a number of Java frames. */
  public void enter(int height) {
    calls++;
    frames += height;
    if (calls > limits.maxDepth() || frames > limits.maxFrames()) {
      throw tooDeep("calls");
    }
  }

  public void leave(int height) {
    calls--;
    frames -= height;
  }

  /** The position of the evaluation, to be restored by the code that catches an exception. */
  public long mark() {
    return (long) calls << 32 | frames;
  }

  public void restore(long mark) {
    calls = (int) (mark >>> 32);
    frames = (int) mark;
  }

  private ExpressionException tooDeep(String what) {
    return new ExpressionException(depthLimit(what));
  }

  /** The sentence about something that nests beyond the limits. */
  public String depthLimit(String what) {
    return "expected "
        + what
        + " nested at most "
        + limits.maxResultDepth()
        + " deep (expression.maxDepth, json.maxDepth), found deeper nesting";
  }
}
