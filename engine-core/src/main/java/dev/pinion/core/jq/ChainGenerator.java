package dev.pinion.core.jq;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.code.AccessChainCode;
import dev.pinion.core.jq.code.AccessChainCode.Access;
import dev.pinion.core.jq.code.CasesCode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.ControlFlowCode;
import dev.pinion.core.jq.code.LogicChainCode;
import dev.pinion.core.jq.code.OperatorChainCode;
import dev.pinion.core.jq.code.OperatorCode;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.code.SliceCode;
import dev.pinion.core.jq.syntax.Syntax;
import dev.pinion.core.jq.value.JqValues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates code for operators of one level. A short chain becomes nested code, which is the
 * fastest; a long one becomes code with a loop, so that its length is no depth.
 */
final class ChainGenerator {
  private final CodeGenerator generator;

  ChainGenerator(CodeGenerator generator) {
    this.generator = generator;
  }

  /** Operators that associate to the left: {@code a + b - c}, {@code a and b and c}. */
  Code binary(Syntax.Binary s, LexicalScope lexicalScope) {
    List<Syntax.Binary> chain = new ArrayList<>();
    Syntax first = s;
    while (first instanceof Syntax.Binary binary && sameChain(binary, s)) {
      chain.addFirst(binary);
      first = binary.left();
    }
    Code[] operands = new Code[chain.size() + 1];
    operands[0] = generator.code(first, lexicalScope);
    for (int i = 1; i < operands.length; i++) {
      operands[i] = generator.code(chain.get(i - 1).right(), lexicalScope);
    }
    return isLogic(s) ? logic(s.operator().equals("or"), operands) : operators(chain, operands);
  }

  private static boolean isLogic(Syntax.Binary s) {
    return s.operator().equals("and") || s.operator().equals("or");
  }

  private static boolean sameChain(Syntax.Binary a, Syntax.Binary b) {
    return a.operator().equals(b.operator()) || (!isLogic(a) && !isLogic(b));
  }

  private static Code logic(boolean decisive, Code... operands) {
    if (operands.length > ControlFlowCode.MAX_NESTED) {
      return new LogicChainCode(decisive, operands);
    }
    Code code = operands[0];
    for (int i = 1; i < operands.length; i++) {
      code = new ControlFlowCode.Logic(decisive, code, operands[i]);
    }
    return code;
  }

  private static Code operators(List<Syntax.Binary> chain, Code... operands) {
    OperatorCode.Operator[] operators =
        chain.stream()
            .map(binary -> OperatorCode.operator(binary.operator()))
            .toArray(OperatorCode.Operator[]::new);
    if (operands.length > ControlFlowCode.MAX_NESTED) {
      return new OperatorChainCode(operands, operators);
    }
    Code code = operands[0];
    for (int i = 0; i < operators.length; i++) {
      code = new OperatorCode.Binary(operators[i], code, operands[i + 1]);
    }
    return code;
  }

  /** Accesses to parts: {@code .a[0].b[]}. */
  Code access(Syntax s, LexicalScope lexicalScope) {
    List<Syntax> chain = new ArrayList<>();
    Syntax first = s;
    for (Syntax target = target(first); target != null; target = target(first)) {
      chain.addFirst(first);
      first = target;
    }
    Code start = generator.code(first, lexicalScope);
    List<Access> accesses = new ArrayList<>();
    List<TextNode> names = new ArrayList<>();
    for (Syntax access : chain) {
      Access next = access(access, names, lexicalScope);
      if (next != null) {
        flush(names, accesses);
        accesses.add(next);
      }
    }
    flush(names, accesses);
    return accesses.size() > ControlFlowCode.MAX_NESTED
        ? new AccessChainCode(start, accesses)
        : nested(start, accesses);
  }

  private static @Nullable Syntax target(Syntax s) {
    return switch (s) {
      case Syntax.Index i -> i.target();
      case Syntax.Slice l -> l.target();
      case Syntax.Iterate i -> i.target();
      default -> null;
    };
  }

  /** An access; null when it was added to the names of fields. */
  private @Nullable Access access(Syntax s, List<TextNode> names, LexicalScope lexicalScope) {
    return switch (s) {
      case Syntax.Index i -> key(i, names, lexicalScope);
      case Syntax.Slice l ->
          new Access.Range(
              bound(l.from(), lexicalScope), bound(l.to(), lexicalScope), l.optional());
      case Syntax.Iterate i -> new Access.Items(i.optional());
      default -> throw new IllegalStateException("expected an access, found " + s.getClass());
    };
  }

  private @Nullable Access key(Syntax.Index s, List<TextNode> names, LexicalScope lexicalScope) {
    Code key = generator.code(s.key(), lexicalScope);
    if (!s.optional()
        && key instanceof ConstructionCode.Constant constant
        && constant.value instanceof TextNode name) {
      names.add(name);
      return null;
    }
    return new Access.Key(key, s.optional());
  }

  private Code bound(@Nullable Syntax bound, LexicalScope lexicalScope) {
    return bound == null
        ? new ConstructionCode.Constant(JqValues.NULL)
        : generator.code(bound, lexicalScope);
  }

  private static void flush(List<TextNode> names, List<Access> accesses) {
    if (!names.isEmpty()) {
      accesses.add(new Access.Fields(names.toArray(TextNode[]::new)));
      names.clear();
    }
  }

  private static Code nested(Code start, List<Access> accesses) {
    Code code = start;
    for (Access access : accesses) {
      code =
          switch (access) {
            case Access.Fields f -> ControlFlowCode.pipe(code, new PathCode.FieldPath(f.names()));
            case Access.Key k -> new PathCode.Index(code, k.key(), k.optional());
            case Access.Range r -> new SliceCode(code, r.from(), r.to(), r.optional());
            case Access.Items i -> new PathCode.Iterate(code, i.optional());
          };
    }
    return code;
  }

  /** {@code if … then … elif … else … end} */
  Code cases(Syntax.If s, LexicalScope lexicalScope) {
    int count = s.cases().size();
    Code[] conditions = new Code[count];
    Code[] results = new Code[count];
    for (int i = 0; i < count; i++) {
      conditions[i] = generator.code(s.cases().get(i).condition(), lexicalScope);
      results[i] = generator.code(s.cases().get(i).then(), lexicalScope);
    }
    Code otherwise =
        s.otherwise() == null
            ? PathCode.Identity.INSTANCE
            : generator.code(s.otherwise(), lexicalScope);
    if (count > ControlFlowCode.MAX_NESTED) {
      return new CasesCode(conditions, results, otherwise);
    }
    Code code = otherwise;
    for (int i = count - 1; i >= 0; i--) {
      code = new ControlFlowCode.If(conditions[i], results[i], code);
    }
    return code;
  }
}
