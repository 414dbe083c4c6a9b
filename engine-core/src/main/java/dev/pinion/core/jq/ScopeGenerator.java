package dev.pinion.core.jq;

import dev.pinion.core.jq.code.BindingCode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.LabelCode;
import dev.pinion.core.jq.syntax.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Generates what names hold in: definitions, bindings and labels, however many follow each other.
 */
final class ScopeGenerator {
  private final CodeGenerator generator;
  private final PatternGenerator patterns;

  ScopeGenerator(CodeGenerator generator, PatternGenerator patterns) {
    this.generator = generator;
    this.patterns = patterns;
  }

  Code scoped(Syntax s, LexicalScope lexicalScope) {
    Scopes scopes = new Scopes(lexicalScope);
    Syntax body = s;
    while (true) {
      switch (body) {
        case Syntax.Define define -> {
          scopes.define(define.function());
          body = define.body();
        }
        case Syntax.As as -> {
          scopes.bind(as);
          body = as.body();
        }
        case Syntax.Label label -> {
          scopes.label(label.name());
          body = label.body();
        }
        default -> {
          return scopes.around(body);
        }
      }
    }
  }

  /** The scopes read so far, the outermost first. */
  private final class Scopes {
    private final List<UnaryOperator<Code>> scopes = new ArrayList<>();
    private final List<BindingCode.Binding> bindings = new ArrayList<>();
    private final List<CompiledFunction> functions = new ArrayList<>();
    private LexicalScope names;

    Scopes(LexicalScope names) {
      this.names = names;
    }

    void define(Syntax.Function defined) {
      CompiledFunction function = new CompiledFunction(defined, names, generator);
      functions.add(function);
      names = function.visible();
    }

    void bind(Syntax.As s) {
      Code source = generator.code(s.source(), names);
      PatternGenerator.GeneratedBinding generated = patterns.bind(s.patterns(), names);
      bindings.add(new BindingCode.Binding(source, generated.binding()));
      names = generated.names();
    }

    void label(String name) {
      endBindings();
      scopes.add(LabelCode.Label::new);
      names = names.withLabel(name);
    }

    private void endBindings() {
      List<BindingCode.Binding> ended = List.copyOf(bindings);
      scopes.add(body -> BindingCode.bind(ended, body));
      bindings.clear();
    }

    Code around(Syntax body) {
      endBindings();
      Code code = generator.code(body, names);
      for (UnaryOperator<Code> scope : scopes.reversed()) {
        code = scope.apply(code);
      }
      functions.reversed().forEach(CompiledFunction::check);
      return code;
    }
  }
}
