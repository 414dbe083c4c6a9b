package dev.pinion.core.jq;

import dev.pinion.core.jq.builtin.BuiltinFactory;
import dev.pinion.core.jq.builtin.Builtins;
import dev.pinion.core.jq.builtin.Prelude;
import dev.pinion.core.jq.code.CallCode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.syntax.Syntax;
import dev.pinion.core.jq.value.JqValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Generates calls: finds the function of a name, or reports that there is none. */
final class CallGenerator {
  private final CodeGenerator generator;

  CallGenerator(CodeGenerator generator) {
    this.generator = generator;
  }

  Code call(Syntax.Call s, LexicalScope lexicalScope) {
    int arity = s.arguments().size();
    LexicalScope.Entry entry = lexicalScope.function(s.name(), arity);
    if (entry != null && entry.function() == null) {
      return new CallCode.Parameter(lexicalScope.hops(entry), entry.single());
    }
    Code[] arguments = generator.codes(s.arguments(), lexicalScope);
    if (entry != null && entry.function() != null) {
      return entry.function().call(arguments, lexicalScope.depth());
    }
    BuiltinFactory builtin = Builtins.find(s.name(), arity);
    if (builtin != null) {
      return builtin.create(arguments);
    }
    Syntax.Function prelude = Prelude.find(s.name(), arity);
    if (prelude != null) {
      return new CompiledFunction(prelude, LexicalScope.NONE, generator)
          .call(arguments, lexicalScope.depth());
    }
    unknown(s, lexicalScope);
    return nothing();
  }

  private void unknown(Syntax.Call s, LexicalScope lexicalScope) {
    String refusal = UnsupportedFeatures.function(s.name());
    if (refusal != null) {
      generator.problem(s.offset(), refusal, null);
      return;
    }
    int arity = s.arguments().size();
    Set<String> known = new TreeSet<>(Builtins.signatures());
    known.addAll(Prelude.signatures());
    lexicalScope.functions(known);
    String found = "found \"" + s.name() + "/" + arity + "\"";
    List<String> others = new ArrayList<>();
    Set<String> bare = new TreeSet<>();
    for (String signature : known) {
      String name = signature.substring(0, signature.lastIndexOf('/'));
      bare.add(name);
      if (name.equals(s.name())) {
        others.add(signature);
      }
    }
    if (others.isEmpty()) {
      generator.problem(
          s.offset(), "expected a known function, " + found, generator.nearest(s.name(), bare));
    } else {
      generator.problem(
          s.offset(), "expected " + String.join(" or ", others) + ", " + found, others.getFirst());
    }
  }

  /**
   * Placeholder for code that could not be generated; never runs, because a problem was reported.
   */
  static Code nothing() {
    return new ConstructionCode.Constant(JqValues.NULL);
  }
}
