package dev.pinion.core.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.SchemaException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.RegexSize;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A regular expression of a schema on RE2/J: matching takes time proportional to the text and to
 * the size of the pattern, and is charged accordingly. Look-around and back-references, which
 * cannot be matched in such time, are refused when the schema is compiled.
 *
 * <p>The validator calls patterns without a context and logs their exceptions, so budget and
 * problems are bound to the thread for the time of a call.
 */
final class BoundedPattern implements RegularExpression {
  /** Products of pattern size and characters that cost one step. */
  private static final int WORK_PER_STEP = 16;

  private static final ScopedValue<Meter> METER = ScopedValue.newInstance();
  private static final ScopedValue<Consumer<String>> COMPLAINTS = ScopedValue.newInstance();

  private final Pattern pattern;
  private final long size;

  private BoundedPattern(Pattern pattern, long size) {
    this.pattern = pattern;
    this.size = size;
  }

  /**
   * Runs a validation whose patterns charge a budget.
   *
   * @throws BudgetExceededException when they spent it
   */
  static void withBudget(Budget budget, Runnable validation) {
    Meter meter = new Meter(budget);
    ScopedValue.where(METER, meter).run(validation);
    if (meter.spent) {
      throw BudgetExceededException.INSTANCE;
    }
  }

  /** Runs a compilation and reports the problems of its patterns. */
  static <T> T withProblems(Consumer<String> complaints, Supplier<T> compilation) {
    return ScopedValue.where(COMPLAINTS, complaints).call(compilation::get);
  }

  @Override
  public boolean matches(String text) {
    boolean charged =
        !METER.isBound() || METER.get().charge(1 + size * text.length() / WORK_PER_STEP);
    return charged && pattern.matcher(text).find();
  }

  /** A budget, and whether a pattern has spent it. */
  private static final class Meter {
    private final Budget budget;
    private boolean spent;

    Meter(Budget budget) {
      this.budget = budget;
    }

    boolean charge(long steps) {
      spent |= steps > budget.stepsLeft();
      if (!spent) {
        budget.charge(steps);
      }
      return !spent;
    }
  }

  /**
   * Compiles patterns up to a size.
   *
   * @param maxSize see {@link RegexSize}
   */
  record PatternFactory(int maxSize) implements RegularExpressionFactory {
    @Override
    public RegularExpression getRegularExpression(String regex) {
      long size = RegexSize.of(regex);
      if (size > maxSize) {
        return refuse(
            "expected a pattern of at most "
                + maxSize
                + " parts with its repetitions written out (definition.maxPatternSize), found "
                + size);
      }
      try {
        return new BoundedPattern(Pattern.compile(regex), size);
      } catch (PatternSyntaxException e) {
        return refuse("expected a pattern that RE2 can match, found: " + e.getMessage());
      }
    }

    private static RegularExpression refuse(String complaint) {
      if (!COMPLAINTS.isBound()) {
        throw new SchemaException(complaint);
      }
      COMPLAINTS.get().accept(complaint);
      return text -> false;
    }
  }
}
