// Accounts that are told by commands on standard input. A fee is cut off to 16 bits, so that large transfers come out wrong, and
// `history` asks for one entry more than there is.
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

class Bank {
public:
    void deposit(const std::string &owner, long cents)
    {
        cents_of[owner] += cents;
        history.push_back(cents);
    }

    bool transfer(const std::string &from, const std::string &to, long cents)
    {
        auto found = cents_of.find(from);
        if (found == cents_of.end() || found->second < cents)
            return false;
        long fee = cents > 1000 ? cents / 1000 : 0;
        found->second -= cents + (short)(fee * 100); // fault
        deposit(to, cents);
        return true;
    }

    long last(unsigned count) const
    {
        long sum = 0;
        for (unsigned i = 1; i <= count; i++)
            sum += history.at(history.size() - i); // fault: more than there are
        return sum;
    }

    void print(std::ostream &out) const
    {
        for (const auto &[owner, cents] : cents_of)
            out << owner << " " << cents / 100 << "." << cents % 100 / 10 << cents % 10 << std::endl;
    }

private:
    std::map<std::string, long> cents_of;
    std::vector<long> history;
};

int main()
{
    Bank bank;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        std::string verb, owner, other;
        long cents;
        in >> verb;
        if (verb == "deposit" && in >> owner >> cents)
            bank.deposit(owner, cents);
        else if (verb == "transfer" && in >> owner >> other >> cents)
            std::cout << (bank.transfer(owner, other, cents) ? "done" : "refused") << "\n";
        else if (verb == "last" && in >> cents)
            std::cout << bank.last(cents) << "\n";
        else if (verb == "print")
            bank.print(std::cout);
        else
            return 2;
    }
}
