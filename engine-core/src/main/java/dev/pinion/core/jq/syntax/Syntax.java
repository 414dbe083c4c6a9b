package dev.pinion.core.jq.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The syntax tree of jq. Every node knows its position in the source. */
public sealed interface Syntax {
  /** Position of its start, in UTF-16 units from 0. */
  int offset();

  /** {@code .} */
  record Identity(int offset) implements Syntax {}

  /** {@code ..} */
  record Descent(int offset) implements Syntax {}

  /** A number as written. */
  record Numeral(int offset, String digits) implements Syntax {}

  /**
   * A string with interpolations, or a format applied to the input where there is no string.
   *
   * @param format name of the format of interpolations, or null for plain text
   * @param texts literal pieces: one more than interpolations
   * @param holes interpolations
   */
  record Text(int offset, @Nullable String format, List<String> texts, List<Syntax> holes)
      implements Syntax {}

  /** {@code @name} without a string. */
  record Format(int offset, String name) implements Syntax {}

  /** {@code $name} */
  record Variable(int offset, String name) implements Syntax {}

  /** {@code $__loc__}, with its line from 1. */
  record Location(int offset, int line) implements Syntax {}

  /** A call of a function with filters as arguments. */
  record Call(int offset, String name, List<Syntax> arguments) implements Syntax {}

  /** {@code target[key]}, also {@code target.key}; optional with {@code ?} behind it. */
  record Index(int offset, Syntax target, Syntax key, boolean optional) implements Syntax {
    Index(int offset, Syntax target, Syntax key) {
      this(offset, target, key, false);
    }
  }

  /** {@code target[from:to]}; optional with {@code ?} behind it. */
  record Slice(
      int offset, Syntax target, @Nullable Syntax from, @Nullable Syntax to, boolean optional)
      implements Syntax {
    Slice(int offset, Syntax target, @Nullable Syntax from, @Nullable Syntax to) {
      this(offset, target, from, to, false);
    }
  }

  /** {@code target[]}; optional with {@code ?} behind it. */
  record Iterate(int offset, Syntax target, boolean optional) implements Syntax {
    Iterate(int offset, Syntax target) {
      this(offset, target, false);
    }
  }

  /** {@code [items]} */
  record ArrayOf(int offset, @Nullable Syntax items) implements Syntax {}

  /** {@code {…}} */
  record ObjectOf(int offset, List<Member> members) implements Syntax {}

  /** A member of an object construction. */
  record Member(Syntax key, Syntax value) {}

  /** {@code a | b | c} */
  record Pipe(int offset, List<Syntax> stages) implements Syntax {}

  /** {@code a, b, c} */
  record Comma(int offset, List<Syntax> parts) implements Syntax {}

  /** {@code a // b // c} */
  record Alternative(int offset, List<Syntax> parts) implements Syntax {}

  /** A binary operator other than {@code //} and the assignments. */
  record Binary(int offset, String operator, Syntax left, Syntax right) implements Syntax {}

  /** An assignment operator. */
  record Assign(int offset, String operator, Syntax target, Syntax value) implements Syntax {}

  /** {@code -operand} */
  record Negate(int offset, Syntax operand) implements Syntax {}

  /** {@code if … then … elif … then … else … end}, with a case for each condition. */
  record If(int offset, List<Case> cases, @Nullable Syntax otherwise) implements Syntax {}

  /** A condition and what it leads to. */
  record Case(Syntax condition, Syntax then) {}

  /** {@code try body catch handler}, also {@code (body)?}. */
  record Try(int offset, Syntax body, @Nullable Syntax handler) implements Syntax {}

  /** {@code reduce source as pattern (init; update)} */
  record Reduce(int offset, Syntax source, List<Pattern> patterns, Syntax init, Syntax update)
      implements Syntax {}

  /** {@code foreach source as pattern (init; update; extract)} */
  record Foreach(
      int offset,
      Syntax source,
      List<Pattern> patterns,
      Syntax init,
      Syntax update,
      @Nullable Syntax extract)
      implements Syntax {}

  /** {@code source as pattern ?// pattern | body} */
  record As(int offset, Syntax source, List<Pattern> patterns, Syntax body) implements Syntax {}

  /** {@code def name(parameters): body; rest} */
  record Define(int offset, Function function, Syntax body) implements Syntax {}

  /** {@code label $name | body} */
  record Label(int offset, String name, Syntax body) implements Syntax {}

  /** {@code break $name} */
  record Break(int offset, String name) implements Syntax {}

  /** A function's definition; parameters are names of filters, value parameters are unfolded. */
  record Function(int offset, String name, List<String> parameters, Syntax body) {}

  /** The right side of {@code as}. */
  sealed interface Pattern {
    /** {@code $name} */
    record Name(String name) implements Pattern {}

    /** {@code [a, b]} */
    record Items(List<Pattern> items) implements Pattern {}

    /** {@code {a: b}} */
    record Members(List<Entry> entries) implements Pattern {}
  }

  /**
   * An entry of an object pattern.
   *
   * @param key the key
   * @param name variable for the value, or null
   * @param value pattern of the value, or null
   */
  record Entry(Syntax key, @Nullable String name, @Nullable Pattern value) {}
}
