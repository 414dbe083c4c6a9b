package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Expressions: the small part of jq that random processes use, with its notation and meaning.
 *
 * <p>Numbers are whole and stay below {@value #MODULUS}, so that both sides count alike.
 */
sealed interface Expr {
  /** Modulus of every sum and product. */
  int MODULUS = 101;

  /** Replacement of a value that is no number. */
  int NO_NUMBER = 3;

  /** Most items of a loop. */
  int MOST_ITEMS = 3;

  /** The expression in jq: a term, so that it can stand anywhere. */
  String jq();

  /**
   * Its value.
   *
   * @throws Fault when it has none
   */
  JsonNode in(Scope scope);

  /** Whether the value counts as true. */
  default boolean holds(Scope scope) {
    JsonNode value = in(scope);
    return !value.isNull() && !value.equals(BooleanNode.FALSE);
  }

  /** A literal value. */
  record Constant(JsonNode value) implements Expr {
    @Override
    public String jq() {
      return value.toString();
    }

    @Override
    public JsonNode in(Scope scope) {
      return value;
    }
  }

  /**
   * A member of a member of the input or of a variable.
   *
   * @param root the variable, or empty for the input
   * @param fields names of members, outermost first
   * @param safe whether a member of anything but an object is null; otherwise it is an error
   */
  record Path(String root, List<String> fields, boolean safe) implements Expr {
    @Override
    public String jq() {
      String start = root.isEmpty() ? "" : "$" + root;
      String path = start + fields.stream().map(field -> "." + field).collect(Collectors.joining());
      String whole = path.isEmpty() ? "." : path;
      return safe ? "(try (" + whole + ") catch null)" : whole;
    }

    @Override
    public JsonNode in(Scope scope) {
      JsonNode value = root.isEmpty() ? scope.dot() : scope.variables().get(root);
      if (value == null) {
        throw new IllegalStateException("expected a variable $" + root + ", found none");
      }
      for (String field : fields) {
        if (!value.isObject() && !value.isNull()) {
          if (safe) {
            return NullNode.getInstance();
          }
          throw Fault.expression();
        }
        JsonNode member = value.get(field);
        value = member == null ? NullNode.getInstance() : member;
      }
      return value;
    }
  }

  /** The number at a path; another one where there is none. */
  record Numeric(Path path) implements Expr {
    @Override
    public String jq() {
      return "((" + path.jq() + " | numbers) // " + NO_NUMBER + ")";
    }

    @Override
    public JsonNode in(Scope scope) {
      JsonNode value = path.in(scope);
      return value.isNumber() ? value : IntNode.valueOf(NO_NUMBER);
    }
  }

  /** A sum, difference or product. */
  record Arithmetic(char operator, Expr left, Expr right) implements Expr {
    @Override
    public String jq() {
      return "((" + left.jq() + " " + operator + " " + right.jq() + ") % " + MODULUS + ")";
    }

    @Override
    public JsonNode in(Scope scope) {
      int one = left.in(scope).intValue();
      int other = right.in(scope).intValue();
      int result =
          switch (operator) {
            case '+' -> one + other;
            case '-' -> one - other;
            default -> one * other;
          };
      return IntNode.valueOf(result % MODULUS);
    }
  }

  /** A comparison of two numbers. */
  record Comparison(String operator, Expr left, Expr right) implements Expr {
    @Override
    public String jq() {
      return "(" + left.jq() + " " + operator + " " + right.jq() + ")";
    }

    @Override
    public JsonNode in(Scope scope) {
      int one = left.in(scope).intValue();
      int other = right.in(scope).intValue();
      return BooleanNode.valueOf(
          switch (operator) {
            case "<" -> one < other;
            case "<=" -> one <= other;
            case "==" -> one == other;
            default -> one != other;
          });
    }
  }

  /** Whether two values are equal. */
  record Same(Expr left, Expr right) implements Expr {
    @Override
    public String jq() {
      return "(" + left.jq() + " == " + right.jq() + ")";
    }

    @Override
    public JsonNode in(Scope scope) {
      return BooleanNode.valueOf(left.in(scope).equals(right.in(scope)));
    }
  }

  /** Both, either, or not. */
  record Logic(String operator, Expr left, Expr right) implements Expr {
    @Override
    public String jq() {
      return operator.equals("not")
          ? "(" + left.jq() + " | not)"
          : "(" + left.jq() + " " + operator + " " + right.jq() + ")";
    }

    @Override
    public JsonNode in(Scope scope) {
      return BooleanNode.valueOf(
          switch (operator) {
            case "and" -> left.holds(scope) && right.holds(scope);
            case "or" -> left.holds(scope) || right.holds(scope);
            default -> !left.holds(scope);
          });
    }
  }

  /** One of two values. */
  record Choice(Expr condition, Expr yes, Expr no) implements Expr {
    @Override
    public String jq() {
      return "(if " + condition.jq() + " then " + yes.jq() + " else " + no.jq() + " end)";
    }

    @Override
    public JsonNode in(Scope scope) {
      return condition.holds(scope) ? yes.in(scope) : no.in(scope);
    }
  }

  /** An object. */
  record Construct(Map<String, Expr> members) implements Expr {
    @Override
    public String jq() {
      return members.entrySet().stream()
          .map(member -> member.getKey() + ": " + member.getValue().jq())
          .collect(Collectors.joining(", ", "{", "}"));
    }

    @Override
    public JsonNode in(Scope scope) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      members.forEach((name, value) -> object.set(name, value.in(scope)));
      return object;
    }
  }

  /** The array at a path, or an empty one, with one more item. */
  record Append(Path path, Expr item) implements Expr {
    @Override
    public String jq() {
      return "(((" + path.jq() + " | arrays) // []) + [" + item.jq() + "])";
    }

    @Override
    public JsonNode in(Scope scope) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      JsonNode before = path.in(scope);
      if (before.isArray()) {
        before.forEach(array::add);
      }
      return array.add(item.in(scope));
    }
  }

  /** The object at a path, or an empty one, with a member set. */
  record Extend(Path path, String key, Expr value) implements Expr {
    @Override
    public String jq() {
      return "(((" + path.jq() + " | objects) // {}) + {" + key + ": " + value.jq() + "})";
    }

    @Override
    public JsonNode in(Scope scope) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      if (path.in(scope) instanceof ObjectNode before) {
        object.setAll(before);
      }
      return object.set(key, value.in(scope));
    }
  }

  /** The first items of the array at a path; two numbers where there is none. */
  record Items(Path path) implements Expr {
    @Override
    public String jq() {
      return "(((" + path.jq() + " | arrays) // [1, 2]) | .[:" + MOST_ITEMS + "])";
    }

    @Override
    public JsonNode in(Scope scope) {
      ArrayNode items = JsonNodeFactory.instance.arrayNode();
      JsonNode array = path.in(scope);
      if (!array.isArray()) {
        return items.add(1).add(2);
      }
      for (int i = 0; i < Math.min(MOST_ITEMS, array.size()); i++) {
        items.add(array.get(i));
      }
      return items;
    }
  }
}
