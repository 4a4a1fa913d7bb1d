class MemForAgents < Formula
  desc "Memory of coding agents: Markdown files, shared by agents and teams"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

@ARCHIVES@
  def install
    bin.install "mem"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/mem.bash" => "mem"
    zsh_completion.install "completions/_mem"
    fish_completion.install "completions/mem.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/mem --version")
    system bin/"mem", "tour"
  end
end
