// Replaces the marks of a copy by what writes its trace.
//
// A record tells a path through a region: blocks that are entered at the first one only, without a loop and without a
// call that may run other observed code but at the ends. Paths are numbered as by Ball and Larus (MICRO 1996), but every
// beginning of a path has a number of its own: whenever a process dies, the name in its window says how far it had come.
// A word that differs by a constant from one that every path to it has written is not written again: a record has one for
// `p->a` and `p->b` in two blocks, or in two functions of which one was put into the other.
//
// A block adds a constant to the name, and where control can go only one way, its only successor's is added with it; what
// was reached of those is seen by the words, which are zero before.
//
// The name of a record, from the highest bit: 1, the unit (15 bits), the path's number in the unit (26), the most words of
// a path of the region (11), the words of this one with the name (11). The most are reserved.

#include "emit.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>

using namespace llvm;

namespace faultline {
namespace {

constexpr unsigned LENGTH_BITS = 11, NUMBER_SHIFT = 2 * LENGTH_BITS, NUMBER_BITS = 26;
// Of paths to one block, of paths of a region (`recording/paths.rs` knows them, too), and of words of a region, unless a
// block alone has more.
constexpr unsigned MOST_WAYS = 32, MOST_PATHS = 512, MOST_WORDS = 64;

bool is_mark(const Instruction &instruction, StringRef name) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

bool may_run_other_code(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call) || call->isInlineAsm())
    return false;
  Function *callee = call->getCalledFunction();
  return !callee || !(callee->getName() == SEGMENT_MARK || callee->getName() == WORD_MARK || callee->getName().starts_with("__faultline_"));
}

struct Block {
  BasicBlock *block = nullptr;
  Instruction *end = nullptr;
  // The block that it shares a record with and that comes first; itself if it does.
  unsigned head = 0;
  std::vector<unsigned> segments;
  // Blocks of the record that control comes from.
  SmallVector<unsigned, 4> from;
  // The words that its segments have, and how many of them are written.
  std::vector<Word> all_words;
  unsigned words = 0;
  // Numbers of sums that are known at its end.
  BitVector known;
  // Paths that end here, and the first one's number in the region.
  unsigned ways = 1, first_path = 0;
  // The words of the longest one.
  unsigned most_words = 0;
  // The block that control will have come to if nothing fails, the words until there, and how much farther the number of
  // the path that ends there is from its first than that of the path that ends here.
  unsigned target = 0, words_ahead = 0, ways_before = 0;
  bool ends_with_call = false, may_trap = false;
};

class Recording {
public:
  Recording(Emit &emit, Function &copy, std::vector<Region> &regions, unsigned &names)
      : emit(emit), copy(copy), regions(regions), names(names) {}

  void run() {
    EliminateUnreachableBlocks(copy);
    split();
    find_blocks();
    for (unsigned index = 0; index < blocks.size(); ++index)
      join(index);
    for (unsigned index = 0; index < blocks.size(); ++index)
      derive(index);
    for (unsigned index = blocks.size(); index-- > 0;)
      look_ahead(index);
    for (unsigned index = 0; index < blocks.size(); ++index)
      if (blocks[index].head == index)
        add_region(index);
    names_of.resize(blocks.size());
    places.resize(blocks.size());
    for (unsigned index = 0; index < blocks.size(); ++index)
      write(index);
  }

private:
  Emit &emit;
  Function &copy;
  std::vector<Region> &regions;
  unsigned &names;
  // In an order in which all but loops come from before.
  std::vector<Block> blocks;
  DenseMap<const Instruction *, unsigned> block_of;
  // Of a head: how many paths the region has, the most words, its first path's number in the unit, and where its record is.
  struct Head {
    unsigned paths = 0, most_words = 0, first_name = 0;
    Value *base = nullptr;
    bool is_empty = true;
    // The numbers of the sums that its words are.
    std::map<std::vector<uintptr_t>, unsigned> sums;
  };
  DenseMap<unsigned, Head> heads;
  // For each block: the name, and the place of its first word.
  std::vector<Value *> names_of, places;

  // Behind calls, and where there are so many words that a record would not have room.
  void split() {
    for (auto block = copy.begin(); block != copy.end(); ++block) {
      unsigned words = 0;
      bool called = false;
      for (Instruction &instruction : *block) {
        bool begins = is_mark(instruction, SEGMENT_MARK);
        if ((called && !instruction.isTerminator()) || (begins && words > MOST_WORDS)) {
          if (!called || !block->getTerminatingMustTailCall())
            SplitBlock(&*block, &instruction);
          break;
        }
        words += is_mark(instruction, WORD_MARK);
        called |= may_run_other_code(instruction);
      }
    }
  }

  void find_blocks() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&copy)) {
      Block &found = blocks.emplace_back();
      found.block = block;
      found.end = block->getTerminator();
      block_of[found.end] = blocks.size() - 1;
      for (Instruction &instruction : *block) {
        if (is_mark(instruction, SEGMENT_MARK))
          found.segments.push_back(cast<ConstantInt>(cast<CallInst>(instruction).getArgOperand(0))->getZExtValue());
        found.words += is_mark(instruction, WORD_MARK);
        found.ends_with_call |= may_run_other_code(instruction);
        // A division that fails leaves nothing to tell how far it had come.
        found.may_trap |= instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1));
      }
    }
  }

  // Makes a block a part of the record that all ways to it come from, or else the first of its own.
  void join(unsigned index) {
    Block &block = blocks[index];
    SmallSetVector<unsigned, 4> from;
    bool joins = !block.block->isEntryBlock() && !block.block->isEHPad();
    for (BasicBlock *before : predecessors(block.block)) {
      unsigned number = block_of.lookup(before->getTerminator());
      const Block &other = blocks[number];
      joins &= number < index && !other.ends_with_call && (isa<BranchInst>(other.end) || isa<SwitchInst>(other.end));
      from.insert(number);
    }
    unsigned ways = 0, words = 0;
    for (unsigned number : from) {
      joins = joins && blocks[number].head == blocks[from[0]].head;
      ways += joins ? blocks[number].ways : 0;
      words = std::max(words, joins ? blocks[number].most_words : 0);
    }
    if (joins && !from.empty()) {
      Head &head = heads[blocks[from[0]].head];
      if (ways <= MOST_WAYS && head.paths + ways <= MOST_PATHS && words + block.words <= std::max(MOST_WORDS, head.most_words)) {
        block.head = blocks[from[0]].head;
        block.from.assign(from.begin(), from.end());
        block.ways = ways;
        block.most_words = words + block.words;
        enter(head, block);
        return;
      }
    }
    block.head = index;
    block.most_words = 1 + block.words;
    enter(heads[index], block);
  }

  static void enter(Head &head, Block &block) {
    block.first_path = head.paths;
    head.paths += block.ways;
    head.most_words = std::max(head.most_words, block.most_words);
    head.is_empty &= block.segments.empty();
  }

  // Says which words follow from others, and takes their marks away.
  void derive(unsigned index) {
    Block &block = blocks[index];
    bool is_head = block.head == index;
    Head &head = heads[block.head];
    if (is_head)
      head.most_words = 0;
    else
      block.known = blocks[block.from[0]].known;
    // Whatever way control came.
    for (unsigned from : block.from)
      block.known &= blocks[from].known;
    block.words = 0;
    for (Instruction &instruction : make_early_inc_range(*block.block)) {
      if (!is_mark(instruction, WORD_MARK))
        continue;
      Sum sum = sum_of(cast<CallInst>(instruction).getArgOperand(0), copy.getParent()->getDataLayout());
      Word &word = block.all_words.emplace_back();
      word.constant = sum.constant;
      if (sum.key.empty()) {
        word.from = Word::From::Constant;
      } else {
        word.key = head.sums.try_emplace(std::move(sum.key), head.sums.size()).first->second;
        if (*word.key >= block.known.size())
          block.known.resize(*word.key + 1);
        if (block.known[*word.key])
          word.from = Word::From::Key;
        block.known.set(*word.key);
      }
      if (word.from == Word::From::Itself)
        ++block.words;
      else
        instruction.eraseFromParent();
    }
    unsigned before = 1;
    for (unsigned from : block.from)
      before = std::max(before, blocks[from].most_words);
    block.most_words = before + block.words;
    head.most_words = std::max(head.most_words, block.most_words);
  }

  void look_ahead(unsigned index) {
    Block &block = blocks[index];
    block.target = index;
    block.words_ahead = block.words;
    auto *jump = dyn_cast<BranchInst>(block.end);
    if (!jump || jump->isConditional() || block.may_trap)
      return;
    unsigned next = block_of.lookup(jump->getSuccessor(0)->getTerminator());
    const Block &behind = blocks[next];
    if (next <= index || behind.head != block.head || behind.head == next)
      return;
    block.target = behind.target;
    block.words_ahead += behind.words_ahead;
    block.ways_before = ways_before(next, index) + behind.ways_before;
  }

  // Paths to a block that come from others than this one, which is later in its list.
  unsigned ways_before(unsigned index, unsigned from) const {
    unsigned ways = 0;
    for (unsigned other : blocks[index].from) {
      if (other == from)
        break;
      ways += blocks[other].ways;
    }
    return ways;
  }

  void add_region(unsigned head) {
    if (heads[head].is_empty)
      return;
    heads[head].first_name = names;
    names += heads[head].paths;
    DenseMap<unsigned, unsigned> parts;
    Region &region = regions.emplace_back();
    for (unsigned index = head; index < blocks.size(); ++index)
      if (blocks[index].head == head) {
        parts[index] = region.size();
        Part &part = region.emplace_back();
        part.segments = blocks[index].segments;
        for (unsigned before : blocks[index].from)
          part.from.push_back(parts.lookup(before));
        part.words = blocks[index].all_words;
      }
    forget_unused(region);
  }

  // Sums that one word only is.
  static void forget_unused(Region &region) {
    SmallDenseSet<unsigned, 8> used;
    for (const Part &part : region)
      for (const Word &word : part.words)
        if (word.from == Word::From::Key)
          used.insert(*word.key);
    for (Part &part : region)
      for (Word &word : part.words)
        if (word.key && !used.count(*word.key))
          word.key.reset();
  }

  // What the name's constant part is where the first path of a block was taken.
  uint64_t name(const Block &block) const {
    uint64_t path = blocks[block.target].first_path + block.ways_before;
    return path << NUMBER_SHIFT;
  }

  void write(unsigned index) {
    Block &block = blocks[index];
    Head &head = heads[block.head];
    if (head.is_empty)
      return;
    SmallVector<Instruction *, 16> marks;
    for (Instruction &instruction : *block.block)
      if (is_mark(instruction, SEGMENT_MARK) || is_mark(instruction, WORD_MARK))
        marks.push_back(&instruction);
    bool is_head = block.head == index;
    if (is_head)
      reserve(index, marks.empty() ? Emit::start(*block.block) : marks[0]);
    else
      go_on(index);
    bool is_told = is_head || all_of(block.from, [&](unsigned from) { return blocks[from].target == block.target; });
    IRBuilder<> builder(emit.context);
    if (!is_told) {
      builder.SetInsertPoint(marks.empty() ? Emit::start(*block.block) : marks[0]);
      emit.store(builder, names_of[index], head.base)->setVolatile(true);
    }
    unsigned position = 0;
    for (Instruction *mark : marks) {
      builder.SetInsertPoint(mark);
      if (is_mark(*mark, WORD_MARK)) {
        Value *place = builder.CreateConstGEP1_64(emit.word, places[index], position++);
        // In the program's order, whatever crashes next.
        emit.store(builder, cast<CallInst>(mark)->getArgOperand(0), place)->setVolatile(true);
      }
      mark->eraseFromParent();
    }
  }

  // The name and the place come from the blocks before.
  void go_on(unsigned index) {
    Block &block = blocks[index];
    auto bring = [&](unsigned from) {
      IRBuilder<> builder(blocks[from].end);
      const Block &before = blocks[from];
      Value *here = names_of[from];
      if (before.target != block.target || before.target == from) {
        uint64_t more = name(block) + (uint64_t(ways_before(index, from)) << NUMBER_SHIFT) - name(before) + block.words_ahead;
        here = builder.CreateAdd(here, emit.number(more));
      }
      Value *place = builder.CreateConstGEP1_64(emit.word, places[from], before.words);
      return std::make_pair(here, place);
    };
    if (block.from.size() == 1) {
      std::tie(names_of[index], places[index]) = bring(block.from[0]);
      return;
    }
    auto *names = PHINode::Create(emit.word, 2, "", block.block->begin());
    auto *where = PHINode::Create(emit.pointer, 2, "", block.block->begin());
    DenseMap<BasicBlock *, std::pair<Value *, Value *>> brought;
    for (BasicBlock *before : predecessors(block.block)) {
      auto [entry, is_new] = brought.try_emplace(before);
      if (is_new)
        entry->second = bring(block_of.lookup(before->getTerminator()));
      names->addIncoming(entry->second.first, before);
      where->addIncoming(entry->second.second, before);
    }
    names_of[index] = names;
    places[index] = where;
  }

  // Reserves the words of a record and names it; the other words stay zero until they are reached.
  void reserve(unsigned index, Instruction *at) {
    const Block &block = blocks[index];
    Head &head = heads[index];
    IRBuilder<> builder(at);
    Value *size = emit.number(head.most_words * 8);
    Value *here = emit.load(builder, emit.pointer, builder.CreateThreadLocalAddress(emit.cursor));
    Value *next = builder.CreateGEP(builder.getInt8Ty(), here, size);
    Value *full = builder.CreateICmpUGT(next, emit.load(builder, emit.pointer, builder.CreateThreadLocalAddress(emit.limit)));
    Instruction *then = SplitBlockAndInsertIfThen(full, at, false, MDBuilder(emit.context).createBranchWeights(1, 100000));
    IRBuilder<> cold(then);
    auto *type = FunctionType::get(emit.pointer, {emit.word}, false);
    CallInst *fresh = cold.CreateCall(copy.getParent()->getOrInsertFunction("__faultline_refill", type), {size});
    fresh->setDoesNotThrow();
    fresh->setMetadata(LLVMContext::MD_tbaa, emit.apart);
    builder.SetInsertPoint(at);
    PHINode *base = PHINode::Create(emit.pointer, 2, "", at->getParent()->begin());
    base->addIncoming(fresh, then->getParent());
    base->addIncoming(here, cast<Instruction>(full)->getParent());
    next = builder.CreateGEP(builder.getInt8Ty(), base, size);
    emit.store(builder, next, builder.CreateThreadLocalAddress(emit.cursor))->setVolatile(true);
    uint64_t first = (uint64_t(head.first_name) << NUMBER_SHIFT) + name(block);
    uint64_t lengths = uint64_t(head.most_words) << LENGTH_BITS | (1 + block.words_ahead);
    names_of[index] = builder.CreateAdd(emit.load(builder, emit.word, emit.field(Emit::BASE)), emit.number(first + lengths));
    emit.store(builder, names_of[index], base)->setVolatile(true);
    head.base = base;
    places[index] = builder.CreateConstGEP1_64(emit.word, base, 1);
  }
};

} // namespace

void record(Emit &emit, Function &copy, std::vector<Region> &regions, unsigned &names) {
  if (names >> NUMBER_BITS == 0)
    return Recording(emit, copy, regions, names).run();
  // What would not fit into a name is not traced.
  for (BasicBlock &block : copy)
    for (Instruction &instruction : make_early_inc_range(block))
      if (is_mark(instruction, SEGMENT_MARK) || is_mark(instruction, WORD_MARK))
        instruction.eraseFromParent();
}

} // namespace faultline
