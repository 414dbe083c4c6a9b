package dev.pinion.oracle;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Expressions at random, of what can be seen at one place of a process. */
final class RandomExpr {
  /** Variables of errors: only their status is used, the rest is the engine's wording. */
  static final Set<String> ERRORS = Set.of("error", "oops");

  private static final List<String> FIELDS = List.of("a", "b", "n", "xs");
  private static final int MOST_DEPTH = 2;

  private final Random random;
  private final List<String> roots;
  private final boolean mayFail;

  /**
   * Expressions of a place.
   *
   * @param roots the variables that it sees
   * @param mayFail whether they may access members of numbers
   */
  RandomExpr(Random random, List<String> roots, boolean mayFail) {
    this.random = random;
    this.roots = new ArrayList<>(roots);
    this.roots.add("");
    this.mayFail = mayFail;
  }

  /** Any value. */
  Expr value() {
    return switch (random.nextInt(9)) {
      case 0 -> new Expr.Constant(IntNode.valueOf(random.nextInt(20)));
      case 1, 2 -> number(0);
      case 3, 4 -> construct();
      case 5 -> new Expr.Append(path(true), leaf());
      case 6 -> new Expr.Extend(path(true), field(), leaf());
      case 7 -> path(!mayFail);
      default -> new Expr.Choice(condition(), leaf(), number(1));
    };
  }

  private Expr construct() {
    Map<String, Expr> members = new LinkedHashMap<>();
    members.put("n", number(1));
    for (int i = random.nextInt(3); i > 0; i--) {
      members.put(field(), leaf());
    }
    if (random.nextInt(3) == 0) {
      members.put("xs", new Expr.Append(path(true), number(1)));
    }
    return new Expr.Construct(members);
  }

  /** The object that a variable is, with a member set. */
  Expr extended(String root) {
    return new Expr.Extend(new Expr.Path(root, List.of(), true), field(), leaf());
  }

  /** A condition. */
  Expr condition() {
    Expr.Comparison comparison =
        new Expr.Comparison(one("<", "<=", "==", "!="), number(1), number(1));
    return switch (random.nextInt(6)) {
      case 0 -> new Expr.Same(path(true), leaf());
      case 1 -> new Expr.Logic("and", comparison, condition());
      case 2 -> new Expr.Logic("or", comparison, condition());
      case 3 -> new Expr.Logic("not", comparison, comparison);
      default -> comparison;
    };
  }

  /** An array of a few items; rarely something else, where that is allowed. */
  Expr items() {
    return mayFail && random.nextInt(10) == 0 ? path(false) : new Expr.Items(path(true));
  }

  private Expr number(int depth) {
    int kind = random.nextInt(depth < MOST_DEPTH ? 4 : 2);
    return switch (kind) {
      case 0 -> new Expr.Constant(IntNode.valueOf(random.nextInt(20)));
      case 1 -> new Expr.Numeric(path(true));
      default -> new Expr.Arithmetic("+-*".charAt(random.nextInt(3)), number(2), number(depth + 1));
    };
  }

  /** A value that is no larger than what is there already. */
  private Expr leaf() {
    return switch (random.nextInt(6)) {
      case 0 -> new Expr.Constant(TextNode.valueOf("s" + random.nextInt(4)));
      case 1 -> new Expr.Constant(random.nextBoolean() ? NullNode.instance : BooleanNode.FALSE);
      case 2, 3 -> member();
      default -> number(1);
    };
  }

  private Expr.Path member() {
    String root = root();
    return new Expr.Path(root, List.of(ERRORS.contains(root) ? "status" : field()), true);
  }

  private Expr.Path path(boolean safe) {
    String root = root();
    if (ERRORS.contains(root)) {
      return new Expr.Path(root, List.of("status"), safe);
    }
    List<String> fields = new ArrayList<>();
    for (int i = safe ? random.nextInt(3) : 2; i > 0; i--) {
      fields.add(field());
    }
    return new Expr.Path(root, fields, safe);
  }

  private String root() {
    return roots.get(random.nextInt(roots.size()));
  }

  private String field() {
    return FIELDS.get(random.nextInt(FIELDS.size()));
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
